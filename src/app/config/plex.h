#pragma once
// [sink.plex]: the Plex server that indexes the library.

#include <optional>

#include "app/config/key.h"
#include "sink/plex/settings.h"

namespace haul::app {

ConfigArea plex_area();

// Nullopt if no Plex is configured. Reads the environment, so call it before other threads start.
std::optional<plex::PlexSettings> plex_settings(const Config& config);

}  // namespace haul::app

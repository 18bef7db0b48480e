#pragma once
// [sink.jellyfin]: the Jellyfin or Emby server that indexes the library.

#include <optional>

#include "app/config/key.h"
#include "sink/jellyfin/settings.h"

namespace haul::app {

ConfigArea jellyfin_area();

// Nullopt if none is configured. Reads the environment, so call it before other threads start.
std::optional<jellyfin::JellyfinSettings> jellyfin_settings(const Config& config);

}  // namespace haul::app

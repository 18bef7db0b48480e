#pragma once
// The library of films and series, with the media server that indexes it. The server has an event
// loop of its own.

#include <memory>
#include <optional>

#include "app/config/media_library.h"
#include "base/clock.h"
#include "io/file/room.h"
#include "seam/sink.h"

namespace haul::app {

// Without settings, a sink that says what to configure. The space and the clock outlive it.
std::unique_ptr<Sink> make_media_library(const Clock& clock, io::DiskSpace& space,
                                         const std::optional<MediaLibrarySettings>& settings);

}  // namespace haul::app

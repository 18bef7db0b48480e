#pragma once
// The library of films and series with its media server, out of [library.*], [importer] and
// [sink.*].

#include <filesystem>
#include <optional>
#include <string>

#include "app/config/config.h"
#include "app/config/media_server.h"
#include "sink/library/library.h"

namespace haul::app {

struct MediaLibrarySettings {
  library::LibrarySettings library;
  MediaServerSettings server{};
  Millis trash_keeps_for{0};  // Zero: removed sources do not go to the trash.
  std::string lacks{};        // What else a user must configure. Empty if nothing.
};

// Nullopt if no library is configured. `data` is haul's data folder. Reads the environment, so call
// it before other threads start.
std::optional<MediaLibrarySettings> media_library_settings(const Config& config,
                                                           const std::filesystem::path& data);

// F28: refuses roots of libraries and the download root that are /, the home folder, a folder of
// the system, haul's data, or one another, also through links and bind mounts. Says where the root
// is set. A root need not exist.
Result<void> check_media_roots(const Config& config, const std::filesystem::path& data,
                               const std::string& home);

}  // namespace haul::app

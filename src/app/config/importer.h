#pragma once
// [importer]: where films are imported from, how their files get into the library, and what becomes
// of the source.

#include <filesystem>
#include <vector>

#include "app/config/key.h"
#include "flow/media/settings.h"
#include "sink/library/library.h"

namespace haul::app {

ConfigArea importer_area();

// `importer.download_root` without "." and a trailing slash. Empty if it is not set, or is /.
std::vector<std::filesystem::path> download_roots(const Config& config);
// In the order in which they are tried. At least one.
std::vector<library::ImportBy> import_methods(const Config& config);
library::CleanBy clean_by(const Config& config);
Millis trash_keeps_for(const Config& config);
flow::MediaSettings media_settings(const Config& config);

// What a user configures before films can be imported.
inline constexpr const char* kConfigureDownloadRoot = "configure importer.download_root";

}  // namespace haul::app

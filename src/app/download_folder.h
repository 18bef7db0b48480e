#pragma once
// F54: which folder may be set as transfer.folder.

#include <filesystem>

#include "app/config.h"

namespace haul {

// Refused, with where it is set: the root, the data folder, a folder above it, a folder in it
// beside the default one, and what is a file or lies below one. A folder that is missing is fine.
Result<void> check_download_folder(const Config& config, const std::filesystem::path& data);

}  // namespace haul

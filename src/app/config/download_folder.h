#pragma once
// transfer.folder: where downloads go, and which folders cannot be set.

#include <filesystem>
#include <string>

#include "app/config/config.h"

namespace haul::app {

// `transfer.folder`, or the default in the data folder.
std::string download_folder(const Config& config, const std::filesystem::path& data);

// F54: refuses the root, the data folder, a folder above it, a folder in it beside the default one,
// and what is a file or lies below one. Says where the folder is set. It need not exist.
Result<void> check_download_folder(const Config& config, const std::filesystem::path& data);

}  // namespace haul::app

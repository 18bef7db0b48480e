#include "app/readiness.h"

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "lifecycle/tables.h"

namespace haul {
namespace {

namespace fs = std::filesystem;

bool can_run(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

bool is_installed(const std::string& name, const std::string& configured,
                  const std::string& search_path) {
  if (!configured.empty()) return can_run(configured);
  std::istringstream folders{search_path};
  for (std::string folder; std::getline(folders, folder, ':');)
    if (folder.starts_with('/') && can_run(fs::path{folder} / name)) return true;
  return false;
}

std::string missing_program(std::string_view engine, const ProgramPaths& programs) {
  if (engine == "yt-dlp" && !is_installed("yt-dlp", programs.yt_dlp, programs.search_path))
    return "configure engine.yt_dlp.program, or install yt-dlp";
  if (engine == "gallery-dl" &&
      !is_installed("gallery-dl", programs.gallery_dl, programs.search_path))
    return "configure engine.gallery_dl.program, or install gallery-dl";
  return {};
}

}  // namespace

std::string missing_setting(const Lifecycle& lifecycle, std::string_view engine, Client client,
                            const ProgramPaths& programs) {
  if (lifecycle.name == kBatch.name) return missing_program(engine, programs);
  if (lifecycle.name == kBook.name)
    return client == Client::configured ? "" : "configure engine.qbittorrent.url";
  // What they need besides is not built yet, so there is nothing to configure.
  return fmt::format("{} is not available in this build", lifecycle.name);
}

}  // namespace haul

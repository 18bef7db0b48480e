#include "app/readiness.h"

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
    return "engine.yt_dlp.program, or install yt-dlp";
  if (engine == "gallery-dl" &&
      !is_installed("gallery-dl", programs.gallery_dl, programs.search_path))
    return "engine.gallery_dl.program, or install gallery-dl";
  return {};
}

}  // namespace

std::string missing_setting(const Lifecycle& lifecycle, std::string_view engine, Client client,
                            const ProgramPaths& programs) {
  if (lifecycle.name == kBatch.name) return missing_program(engine, programs);
  if (lifecycle.name == kBook.name)
    return client == Client::configured ? "" : "engine.qbittorrent.url";
  if (lifecycle.name == kMedia.name) return "[library.movies] or [library.series]";
  if (lifecycle.name == kRelay.name) return "[relay]";
  if (lifecycle.name == kImage.name) return "[image]";
  return {};
}

}  // namespace haul

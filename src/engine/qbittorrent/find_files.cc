#include "engine/qbittorrent/find_files.h"

#include <sys/stat.h>

#include <system_error>

namespace haul::qbittorrent {
namespace {

namespace fs = std::filesystem;

constexpr int kEntriesMax = 100'000;

// Size of all regular files below the folder. Follows no link. No value if the folder cannot be
// read or has too many entries.
std::optional<std::int64_t> size_below(const fs::path& folder) {
  std::error_code error;
  std::int64_t size = 0;
  int entries = 0;
  fs::recursive_directory_iterator at{folder, error};
  for (; !error && at != fs::recursive_directory_iterator{}; at.increment(error)) {
    if (++entries > kEntriesMax) return std::nullopt;
    struct stat about{};
    if (::lstat(at->path().c_str(), &about) == 0 && S_ISREG(about.st_mode)) size += about.st_size;
  }
  if (error) return std::nullopt;
  return size;
}

// Whether a component below the save path is a link. A link leads to files that are not the
// torrent's.
bool goes_through_link(const fs::path& path, const fs::path& from) {
  for (fs::path at = path; is_inside(at, from); at = at.parent_path()) {
    struct stat about{};
    if (::lstat(at.c_str(), &about) == 0 && S_ISLNK(about.st_mode)) return true;
  }
  return false;
}

FoundFiles not_there(std::string why) { return {.path = {}, .size = 0, .why_not = std::move(why)}; }

}  // namespace

FoundFiles find_files(const Torrent& torrent, const PathMap& map) {
  if (torrent.content_path.empty()) return not_there("asset_pending");
  const auto path = map.here(torrent.content_path);
  const auto root = map.here(torrent.save_path);
  const auto aside = map.here(torrent.download_path);
  const bool still_aside = path && aside && !torrent.download_path.empty() &&
                           is_inside(*path, *aside) && (!root || *aside != *root);
  if (still_aside) return not_there("asset_pending");
  // The save path itself is refused: it also has the files of other torrents.
  if (!path || !root || !is_inside(*path, *root)) return not_there("path_refused");
  if (goes_through_link(*path, *root)) return not_there("path_refused");
  struct stat about{};
  if (::lstat(path->c_str(), &about) != 0) return not_there("asset_pending");
  const std::int64_t wanted = torrent.size.value_or(0);
  FoundFiles found{.path = path->string(), .size = about.st_size, .why_not = {}};
  if (S_ISDIR(about.st_mode)) {
    found.size = size_below(*path).value_or(-1);
    if (found.size < wanted) found.why_not = "size_differs";
  } else if (!S_ISREG(about.st_mode)) {
    found.why_not = "path_refused";
  } else if (about.st_size != wanted) {
    found.why_not = "size_differs";
  }
  return found;
}

}  // namespace haul::qbittorrent

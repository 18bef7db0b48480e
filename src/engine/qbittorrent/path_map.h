#pragma once
// Paths as the client's machine has them, and as this one does. Whole components only: "/media" is
// no beginning of "/media2".

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul {

class PathMap {
 public:
  PathMap() = default;
  // "/downloads=/srv/torrents", each absolute and without "..".
  static Result<PathMap> parse(std::span<const std::string> entries);

  // Where a path of the client's lies here: by the longest entry it begins with. Without any entry
  // paths are the same on both; with some, one that none covers is nowhere. Nothing also for what
  // is not absolute, has ".." in it, or is the root.
  std::optional<std::filesystem::path> here(std::string_view theirs) const;

 private:
  struct Entry {
    std::filesystem::path theirs;
    std::filesystem::path ours;
  };
  std::vector<Entry> entries_;
};

// Whether a path lies inside a folder, and is not that folder itself; by whole components.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace haul

#pragma once
// Maps paths on the client's machine to paths on this one. Compares whole components: "/media" does
// not match "/media2".

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul::qbittorrent {

class PathMap {
 public:
  PathMap() = default;
  // Entries are "/downloads=/srv/torrents": both paths absolute, without "..", not the root.
  static Result<PathMap> parse(std::span<const std::string> entries);

  // The path on this machine of a path on the client's, by the longest entry that matches. Without
  // entries, both paths are the same. No value if there are entries and none matches, or if the
  // path is not absolute, has "..", or is the root.
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

}  // namespace haul::qbittorrent

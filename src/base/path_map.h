#pragma once
// Maps paths of another program, which may run on another machine or in a container, to paths of
// this one, and back. Compares whole components: "/media" does not match "/media2".

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
  // Maps no path.
  PathMap() = default;
  // Both programs see the same paths.
  static PathMap identity();
  // Entries are "/downloads=/srv/torrents": the other program's folder, then haul's. Both are
  // absolute, without "..", not the root. The one entry "identity" makes the identity map. `key` is
  // the setting that a refusal names.
  static Result<PathMap> parse(std::span<const std::string> entries,
                               std::string_view key = "path_map");

  // haul's path of the other program's path, by the longest entry that matches. No value if none
  // matches, or if the path is not absolute, has "..", or is the root.
  std::optional<std::filesystem::path> here(std::string_view theirs) const;
  // The other direction. In both, the first of two entries with the same folder counts.
  std::optional<std::filesystem::path> there(std::string_view ours) const;

  struct Entry {
    std::filesystem::path theirs;
    std::filesystem::path ours;

    bool operator==(const Entry&) const = default;
  };
  // In the order of the configuration. Empty for the identity.
  const std::vector<Entry>& entries() const { return entries_; }
  bool is_identity() const { return is_identity_; }

 private:
  using Folder = std::filesystem::path Entry::*;
  std::optional<std::filesystem::path> mapped(std::string_view text, Folder from, Folder to) const;

  std::vector<Entry> entries_;
  bool is_identity_ = false;
};

// The path without "." and doubled or trailing slashes. No value if it is not absolute, has "..",
// or is the root.
std::optional<std::filesystem::path> clean_path(std::string_view text);

// Whether a path lies inside a folder, and is not that folder itself; by whole components.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace haul

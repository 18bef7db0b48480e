#pragma once
// Which folders can be download roots and library roots. haul removes files below the one and keeps
// them below the other, so none of them may be, hold or lie in a folder that matters for something
// else. Paths are compared as they are on their disks: a link or a bind mount hides nothing.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/file/folder.h"

namespace haul::library {

// A folder on its disk, by whatever path it was reached.
struct DiskPath {
  std::string disk;  // "254:0". Empty if unknown.
  std::filesystem::path path;

  bool operator==(const DiskPath&) const = default;
};

// What was seen of a folder of the configuration.
struct RootFacts {
  enum class Is : std::uint8_t { missing, folder, other };

  std::string key;             // "library.movies": what the user calls it.
  std::string given;           // As the configuration has it.
  std::filesystem::path real;  // Absolute and without links, as far as it exists.
  DiskPath on_disk;
  Is is = Is::missing;
  std::optional<io::FolderId> id{};
};

// The folders that no root may be.
struct RootRules {
  RootFacts data;                        // haul's own data.
  std::filesystem::path data_downloads;  // The one folder in it that may be a root.
  std::optional<RootFacts> home{};       // Of the user that haul runs as, if known.
};

struct RootProblem {
  std::string key;     // The key to change.
  std::string detail;  // What is wrong with it, with the other key, and what to do.

  bool operator==(const RootProblem&) const = default;
};

// The first problem of each root. Empty if all can be used. A root that is missing is no problem:
// its disk may be mounted later.
std::vector<RootProblem> check_roots(std::span<const RootFacts> roots, const RootRules& rules);

// Looks at a folder. `mounts` is the text of /proc/self/mountinfo.
RootFacts look_at_root(std::string key, const std::string& given, std::string_view mounts);
std::string read_mounts();

// Where a real path is on its disk, by the mount that has it. Pure.
DiskPath disk_path_of(const std::filesystem::path& real, std::string_view mounts);

}  // namespace haul::library

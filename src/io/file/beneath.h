#pragma once
// Opens files and folders below an open root, through no link, and says what they are. For paths
// that another program chose, and for files that haul removes: a folder that is open stays the same
// folder, whatever its path leads to by then.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "io/file/folder.h"

namespace haul::io {

// What has a name at one moment.
struct EntrySeen {
  enum class Is : std::uint8_t { file, folder, other };

  Is is = Is::other;
  std::int64_t device = 0;
  std::int64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;  // No program can set it back.
  std::int64_t on_disk = 0;   // Bytes. Less than the size if the file has holes.

  bool operator==(const EntrySeen&) const = default;
};

EntrySeen seen_of(const Descriptor& open);
EntrySeen seen_of(const File& open);
// Does not follow a link: the link itself is an `other`. Fault `not_found` (permanent) if nothing
// has the name; another one if the disk does not say.
Result<EntrySeen> look_in(const Descriptor& folder, const std::string& name);
// The same, where it does not matter why there is no value.
std::optional<EntrySeen> seen_in(const Descriptor& folder, const std::string& name);

// Two entries are names of the same file.
bool is_same_file(const EntrySeen& one, const EntrySeen& other);

// The components of a path below a root. No value if the path is empty or absolute, or has an empty
// component, "." or "..", or a NUL byte.
std::optional<std::vector<std::string>> components_of(std::string_view path);

// Splits the last component from a path: {"a/b", "c"} of "a/b/c".
struct SplitPath {
  std::string folder;
  std::string name;
};
SplitPath split_path(std::string_view path);

// Whether the way may lead onto a file system that is mounted below the root.
enum class Mounts : std::uint8_t { cross, stay };

// How the way is resolved. Tests choose; haul takes `steps` where the kernel lacks openat2.
enum class WalkBy : std::uint8_t { kernel, steps };

// Follows links on the way to the root itself.
Result<Descriptor> open_root(const std::filesystem::path& path);

// Both fault with `link_on_the_way`, `other_file_system` or `not_a_folder` (rejected) if the way is
// not safe, `not_found` (permanent) if there is no such entry, `bad_path` (rejected) if it is no
// path below a root. The folder's path may be empty: then it is the root, opened again.
Result<Descriptor> open_folder_beneath(const Descriptor& root, std::string_view path, Mounts mounts,
                                       WalkBy walk = WalkBy::kernel);
// For reading. Fault `not_a_file` (rejected) if it is anything but a regular file.
Result<File> open_file_beneath(const Descriptor& root, std::string_view path, Mounts mounts,
                               WalkBy walk = WalkBy::kernel);

// Makes the folders that are missing, flushes their names, and opens the last one as
// open_folder_beneath does.
Result<Descriptor> make_folder_beneath(const Descriptor& root, std::string_view path,
                                       Mounts mounts);

}  // namespace haul::io

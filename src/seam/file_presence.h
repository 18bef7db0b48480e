#pragma once
// Whether a file is still where it was put. Lets the flow tell a deleted file from a disk that is
// not mounted.

#include <cstdint>
#include <string>

namespace haul {

struct FilePresence {
  enum class Is : std::uint8_t {
    there,    // A file, or a folder with something in it.
    gone,     // Nothing has this name, or it is an empty folder.
    unknown,  // haul could not look: no permission, a broken disk, a server that is down.
  };
  Is is = Is::unknown;
  std::uint64_t device = 0;  // Of the file, or of the nearest folder that exists.
  std::string folder{};      // That nearest folder, if the file is gone.
  bool is_bare = false;      // That folder is empty, like a mount point without its disk.

  bool operator==(const FilePresence&) const = default;
};

}  // namespace haul

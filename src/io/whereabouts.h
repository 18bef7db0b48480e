#pragma once
// Whether a file that was put somewhere is still there, for those who must not take a disk that is
// not mounted for a file that was deleted.

#include <cstdint>
#include <string>

namespace haul {

struct Whereabouts {
  enum class Is : std::uint8_t {
    there,    // A file, or a folder with something in it.
    gone,     // Nothing has this name.
    unknown,  // It could not be looked at: not allowed, a broken disk, a server that is away.
  };
  Is is = Is::unknown;
  std::uint64_t device = 0;  // Which the file is on, or the nearest folder that is there.
  std::string folder{};      // That folder, when it is gone.
  bool is_bare = false;      // It has nothing in it, like a place where no disk is mounted.

  bool operator==(const Whereabouts&) const = default;
};

// May wait for as long as the disk does.
Whereabouts whereabouts_of(const std::string& path);

}  // namespace haul

#pragma once
// Whether something that was there still is. A disk that is not mounted has lost nothing.

#include <cstdint>
#include <filesystem>

namespace haul {

enum class Presence : std::uint8_t {
  there,
  gone,    // And its folder is there, with other things in it.
  unsure,  // Its folder is empty, or gone as well, or cannot be read: a disk may be missing.
};

Presence look_for_file(const std::filesystem::path& path);

}  // namespace haul

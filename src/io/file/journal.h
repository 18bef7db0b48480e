#pragma once
// What a file system promises about the order in which changes reach the disk.

#include <cstdint>

namespace haul::io {

enum class Journal : std::uint8_t {
  one,      // One journal has all changes in order: if one is on the disk, so are all before it.
  none,     // Only what is flushed is on the disk.
  unknown,  // Another file system: haul relies on nothing.
};

// What the file system of an open folder promises. `folder` is a descriptor.
Journal journal_of(int folder);

}  // namespace haul::io

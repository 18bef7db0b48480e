#pragma once
// What a file system promises about the order in which changes reach the disk.

#include <cstdint>

namespace haul {

enum class Journal : std::uint8_t {
  one,   // All changes are in it, in their order: with one of them all before it are on the disk.
  none,  // What is flushed is on the disk, and nothing else.
  unknown,  // It has ways of its own, and nothing is taken for granted.
};

// Of the file system that an open folder is on.
Journal journal_of(int folder);

}  // namespace haul

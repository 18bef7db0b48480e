#pragma once
// Copies a file piece by piece, for both examples.

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "io/file/folder.h"

namespace haul::example {

// Opens a regular file for reading. The result is false in a condition if there is none.
io::File open_source(const std::filesystem::path& path);

// Copies at most `most` bytes to the same offset of another file. Returns how many it copied: zero
// at the end of the source.
Result<std::size_t> copy_chunk(const io::File& from, io::File& to, std::int64_t at,
                               std::size_t most);

}  // namespace haul::example

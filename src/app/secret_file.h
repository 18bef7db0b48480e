#pragma once
// Small files with secrets in the data folder. Only their owner can read them.

#include <filesystem>
#include <string>

#include "base/seal.h"

namespace haul::app {

// Writes the text as a line: the file as a whole or not at all. It is never readable by others, not
// even for a moment. Throws std::system_error.
void write_secret(const std::filesystem::path& file, const std::string& text);

// The key that seals secrets in the store. Made at the first call. All daemons of one store have
// the same file. Throws std::runtime_error if the file is there and has no key: a new one would
// make what the old one has sealed unreadable.
SealKey ensure_seal_key(const std::filesystem::path& file);

}  // namespace haul::app

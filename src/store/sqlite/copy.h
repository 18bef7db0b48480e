#pragma once
// Whole copies of a database file, as of one instant.

#include <cstdint>
#include <filesystem>

#include "store/sqlite/db.h"

namespace haul::sqlite {

enum class Existing : std::uint8_t { refuse, replace };

// Writes a checked, flushed, self-contained copy. A file that has the name is refused with
// StoreFault::refused, or replaced in the moment the copy is complete. A failed copy leaves
// everything as it was.
void copy_database(Connection& from, const std::filesystem::path& to, Existing existing);

// Throws StoreFault::gone with the first problem found.
void check_integrity(Connection& db);

// The same, without comparing every index with its table: much faster.
void look_over(Connection& db);

// So that a name just made or changed survives a power cut.
void flush_folder(const std::filesystem::path& folder);

}  // namespace haul::sqlite

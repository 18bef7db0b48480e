#pragma once
// Whole copies of a database file, as of one instant.

#include <filesystem>

#include "store/sqlite/db.h"

namespace haul::sqlite {

// Writes a checked, flushed, self-contained copy to a new file. Throws StoreFault::refused if the
// file exists; leaves nothing behind if it fails.
void copy_database(Connection& from, const std::filesystem::path& to);

// Throws StoreFault::gone with the first problem found.
void check_integrity(Connection& db);

// The same, without comparing every index with its table: much faster.
void look_over(Connection& db);

// So that a name just made or changed survives a power cut.
void flush_folder(const std::filesystem::path& folder);

}  // namespace haul::sqlite

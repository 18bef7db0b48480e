#pragma once
// Copies a whole database file as one snapshot, and checks one.

#include <cstdint>
#include <filesystem>

#include "store/sqlite/db.h"

namespace haul::sqlite {

enum class Existing : std::uint8_t { refuse, replace };

// Writes a checked, flushed, self-contained copy. If the target exists, throws StoreFault::refused,
// or replaces it atomically once the copy is complete. A failed copy leaves everything as it was.
void copy_database(Connection& from, const std::filesystem::path& to, Existing existing);

// Replaces the whole content of `to`.
void copy_pages(Connection& from, Connection& to);

// Throws StoreFault::gone with the first problem found.
void check_integrity(Connection& db);

// The same, without comparing every index with its table: much faster.
void look_over(Connection& db);

// Flushes a folder, so that a file name just made or changed survives a power cut.
void flush_folder(const std::filesystem::path& folder);

}  // namespace haul::sqlite

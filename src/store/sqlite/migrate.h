#pragma once
// Schema migrations: numbered, forward-only, never edited once released.

#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "store/sqlite/db.h"

namespace haul::sqlite {

struct Migration {
  int number = 0;
  std::string_view name;
  std::string_view sql;
};

// All migrations in order; made from src/store/sqlite/schema at build time.
std::span<const Migration> all_migrations();

// Whether the file has haul's mark.
bool is_haul_file(Connection& db);

// Brings the file to the newest schema in one transaction, or leaves it as it was. Calls `backup`
// first, unless the file is new. Throws StoreFault::refused if the schema is newer than this
// binary, or the file is not haul's.
void migrate(Connection& db, std::span<const Migration> migrations,
             const std::function<void(int version)>& backup);

// Why this binary cannot use the file as a haul database; empty if it can.
std::string unfit(Connection& db, std::span<const Migration> migrations);

// Copies the built-in lifecycle tables into the tables that the triggers read, if they differ.
void sync_lifecycles(Connection& db);

// Adds what every store starts with, if missing: the admin, the salt of hashes, the store's id.
void add_initial_rows(Connection& db, Time now);

}  // namespace haul::sqlite

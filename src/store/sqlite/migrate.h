#pragma once
// Numbered, forward-only changes of the schema. Never edited once released.

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

// All of them, in order; made from src/store/schema at build time.
std::span<const Migration> all_migrations();

// Brings the file to the newest schema in one transaction, or leaves it as it was. `backup` is
// called first if there is anything to lose. Throws StoreFault::refused for a file that is newer
// than this binary, or not haul's.
void migrate(Connection& db, std::span<const Migration> migrations,
             const std::function<void(int version)>& backup);

// Says what is wrong with a file as a haul database; empty: nothing.
std::string unfit(Connection& db, std::span<const Migration> migrations);

// Copies the built-in lifecycle tables to where the triggers look, if they differ.
void sync_lifecycles(Connection& db);

// What every store starts with: the admin, the salt of the audit log, and its own id.
void sow(Connection& db, Time now);

}  // namespace haul::sqlite

#pragma once
// The numbers of new jobs. They are in the names of staged and kept images, of parts and torrents,
// so that a restored store must not give one to another job than the replaced store did.

#include <cstdint>
#include <optional>

#include "store/sqlite/db.h"

namespace haul::sqlite {

// The number of the newest job, or 0.
std::int64_t newest_job(Connection& db);

// New jobs get numbers above those of this store and above `replaced`, the newest of the store that
// this one replaces. If that is unknown, a hundred thousand numbers stay free.
void keep_numbers_apart(Connection& db, std::optional<std::int64_t> replaced);

}  // namespace haul::sqlite

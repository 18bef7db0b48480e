#pragma once
// Writes the items of a job that knows them when it is added, inside the writer's transaction.

#include <span>

#include "store/job.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// The job lists no others. Ignores a checkpoint that is not JSON.
void add_known_items(Connection& db, JobId job, const Lifecycle& lifecycle,
                     std::span<const NewItem> items, Time now);

}  // namespace haul::sqlite

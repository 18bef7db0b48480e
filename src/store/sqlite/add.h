#pragma once
// Adding jobs, inside the writer's transaction.

#include "store/jobs.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// Adds the job, or finds the one that its key or slot already has.
AddAnswer add_job(Connection& db, const NewJob& job, Time now);

}  // namespace haul::sqlite

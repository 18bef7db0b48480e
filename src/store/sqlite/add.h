#pragma once
// Adds jobs, inside the writer's transaction.

#include "store/jobs.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// Adds the job, or returns the job that already has its key or slot.
AddAnswer add_job(Connection& db, const NewJob& job, Time now);

}  // namespace haul::sqlite

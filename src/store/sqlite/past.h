#pragma once
// Adds a job with what has happened to it in another program, inside the writer's transaction.

#include "store/jobs.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// See Jobs::add_past.
AddAnswer add_past_job(Connection& db, const PastJob& past);

}  // namespace haul::sqlite

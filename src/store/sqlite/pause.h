#pragma once
// Pauses and resumes jobs, inside the writer's transaction. A paused job is not claimed.

#include "store/jobs.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

MoveAnswer pause_job(Connection& db, const JobVersion& version, Time now);
MoveAnswer resume_job(Connection& db, const JobVersion& version, Time now);

// Pauses the job and settles the user's pause intent; stale if the user has withdrawn it meanwhile.
MoveAnswer grant_pause(Connection& db, const JobVersion& version, IntentId wish, Time now);

}  // namespace haul::sqlite

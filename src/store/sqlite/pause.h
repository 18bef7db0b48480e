#pragma once
// Keeping a job from being claimed, inside the writer's transaction.

#include "store/jobs.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

MoveAnswer pause_job(Connection& db, const Seen& seen, Time now);
MoveAnswer resume_job(Connection& db, const Seen& seen, Time now);

// Pauses it and settles the wish; stale if the wish was taken back meanwhile.
MoveAnswer grant_pause(Connection& db, const Seen& seen, IntentId wish, Time now);

}  // namespace haul::sqlite

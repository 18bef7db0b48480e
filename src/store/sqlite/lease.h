#pragma once
// Taking jobs, giving them back, and taking them from a worker that went silent; inside the
// writer's transaction.

#include "store/jobs.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

std::vector<Claim> claim_jobs(Connection& db, const ClaimAsk& ask, Time now);
MoveAnswer release_job(Connection& db, const Release& release, Time now);
Rescued rescue_jobs(Connection& db, const Silence& silence, const Waits& waits, Time now);

}  // namespace haul::sqlite

#pragma once
// Releases leases, and rescues the jobs of a silent worker; inside the writer's transaction.

#include "store/jobs.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// Reads rows of id, state, seq, fence and attempt, all of one lifecycle.
std::vector<Seen> read_seen(Query& rows, const Lifecycle& table);
MoveAnswer release_job(Connection& db, const Release& release, Time now);
Rescued rescue_jobs(Connection& db, const Silence& silence, const Waits& waits, Time now);

}  // namespace haul::sqlite

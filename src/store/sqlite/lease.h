#pragma once
// Releases leases, and rescues the jobs of a silent worker; inside the writer's transaction.

#include "store/rules/move.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// Reads rows of id, state, seq, fence and attempt, all of one lifecycle.
std::vector<JobVersion> read_seen(Query& rows, const Lifecycle& table);
// Compares and sets the lease, and writes the note. False if the row has changed.
bool change_lease(Connection& db, const rules::LeaseChange& change, Time now);
MoveAnswer release_job(Connection& db, const Release& release, Time now);
Rescued rescue_jobs(Connection& db, const Silence& silence, const Chance& chance, Time now);

}  // namespace haul::sqlite

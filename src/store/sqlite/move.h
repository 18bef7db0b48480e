#pragma once
// The compare-and-set that changes a job's state, inside the writer's transaction.

#include "store/rules/move.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// Checks the ask against its table, compares and sets, writes the event, applies the effects.
MoveAnswer move_job(Connection& db, const Ask& ask, rules::Loss loss, Time now);

// The refusal for a compare that matched no row.
Refusal stale(Connection& db, const JobVersion& version);

}  // namespace haul::sqlite

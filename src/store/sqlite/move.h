#pragma once
// The compare-and-set that changes a job's state, inside the writer's transaction.

#include "store/jobs.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// `counted` counts an attempt although the move does not: a lost worker spent the last one.
enum class Loss : std::uint8_t { none, counted };

// Checks the ask against its table, compares and sets, writes the event, applies the effects.
MoveAnswer move_job(Connection& db, const Ask& ask, Loss loss, Time now);

// The refusal for a compare that matched no row.
Refusal stale(Connection& db, const Seen& seen);

}  // namespace haul::sqlite

#pragma once
// Applies the effects of a move or an add, in the same transaction.

#include "store/job.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// `after` is the job after the move.
void apply_effects(Connection& db, const Ask& ask, const Move& move, const Seen& after, Time now);

// The effects of adding, for a job that was just inserted.
void apply_add_effects(Connection& db, const NewJob& job, JobId id, Time now);

}  // namespace haul::sqlite

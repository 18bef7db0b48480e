#pragma once
// Applies the effects of a move or an add, in the same transaction.

#include "store/rules/move.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// What a granted move writes besides the row and its event.
void write_effects(Connection& db, const Ask& ask, const rules::GrantedMove& granted, Time now);

// The effects of adding, for a job that was just inserted.
void apply_add_effects(Connection& db, const NewJob& job, JobId id, Time now);

}  // namespace haul::sqlite

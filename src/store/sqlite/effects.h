#pragma once
// Applies the effects of a move or an add, in the same transaction.

#include <optional>

#include "store/items.h"
#include "store/rules/move.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// What a granted move writes besides the row and its event. Returns the job's counters if it read
// them after the last write that changes them.
std::optional<Counts> write_effects(Connection& db, const Ask& ask,
                                    const rules::GrantedMove& granted, Time now);

// What an add writes besides the row and its request, for a job that was just inserted.
void write_add_effects(Connection& db, const NewJob& job, JobId id, Time now);

}  // namespace haul::sqlite

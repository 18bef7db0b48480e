#pragma once
// The compare-and-set at the heart of haul, inside the writer's transaction.

#include "store/jobs.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// Whether an ask may count an attempt although its move does not (a lost worker's last one).
enum class Loss : std::uint8_t { none, counted };

// Judges the ask against its table, compares and sets, writes the event, applies the effects.
MoveAnswer move_job(Connection& db, const Ask& ask, Loss loss, Time now);

// What to say when the compare found nothing.
Refusal stale(Connection& db, const Seen& seen);

}  // namespace haul::sqlite

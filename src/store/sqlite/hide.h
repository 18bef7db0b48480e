#pragma once
// Hides ended jobs from lists and counts, and shows them again.

#include "store/job.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

MoveAnswer hide_job(Connection& db, const JobVersion& seen, Time now);

// After a move from `seen` to an open state: shows the job if it was hidden.
void show_again(Connection& db, const JobVersion& seen, Time now);

}  // namespace haul::sqlite

#pragma once
// Hides ended jobs from lists and counts, and shows them again.

#include "store/job.h"
#include "store/purges.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// Also writes the wish that its files are removed, if they shall be.
MoveAnswer hide_job(Connection& db, const JobVersion& version, OwnFiles files, Time now);

// After a move from `version` to an open state: shows the job if it was hidden.
void show_again(Connection& db, const JobVersion& version, Time now);

}  // namespace haul::sqlite

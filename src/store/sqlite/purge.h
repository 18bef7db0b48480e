#pragma once
// Writes the wish that the files of a deleted job are removed.

#include "store/sqlite/db.h"

namespace haul::sqlite {

// Begins a purge, if the rules want one. Part of the transaction that hides the job.
void ask_purge(Connection& db, JobId job, Time now);

}  // namespace haul::sqlite

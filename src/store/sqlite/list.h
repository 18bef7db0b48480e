#pragma once
// Pages of jobs, newest first. Each page reads the index that suits its filter.

#include "store/reader.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

JobPage list_jobs(Connection& db, const JobFilter& filter);

}  // namespace haul::sqlite

#pragma once
// Pages of jobs, newest first or in another order. Each page reads the index that suits its filter
// and its order.

#include "store/reader.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

JobPage list_jobs(Connection& db, const JobFilter& filter);

}  // namespace haul::sqlite

#pragma once
// Counts the reasons for which jobs failed.

#include <vector>

#include "store/reader.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

std::vector<ReasonTally> count_reasons(Connection& db, const ReasonFilter& filter);

}  // namespace haul::sqlite

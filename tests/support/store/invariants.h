#pragma once
// What must hold in a store's file at any time, also after a kill: promises 1 to 5, 13 and 14, each
// as a query that must return no rows.

#include <string>
#include <vector>

#include "support/store/sql.h"

namespace haul::testing {

// Returns "name: offending rows" for each broken invariant. Empty if the file is sound.
std::vector<std::string> broken_invariants(Sql& sql);

}  // namespace haul::testing

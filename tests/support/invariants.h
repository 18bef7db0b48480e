#pragma once
// What must hold in a store's file at any instant, whatever was killed before: the promises 1 to 5,
// 13 and 14, each as a question whose answer must be empty.

#include <string>
#include <vector>

#include "support/sql.h"

namespace haul::testing {

// Each is "name: offending rows"; empty: the file is sound.
std::vector<std::string> broken_invariants(Sql& sql);

}  // namespace haul::testing

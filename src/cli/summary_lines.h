#pragma once
// What `haul get` says at its end, pure: what arrived, what failed and what can be done about it.

#include <string>
#include <vector>

#include "cli/progress.h"

namespace haul {

// What failed is grouped by its reason, with one hint for each group; long lists are cut.
std::vector<std::string> summary_lines(const GetSummary& summary, Colour colour);

}  // namespace haul

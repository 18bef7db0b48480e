#pragma once
// The summary of `haul get`, pure: what arrived, what failed, and what to do about it.

#include <string>
#include <vector>

#include "cli/draw/progress.h"

namespace haul {

// Groups failures by reason, with one hint per group; cuts long lists.
std::vector<std::string> summary_lines(const GetSummary& summary, Colour colour);

}  // namespace haul

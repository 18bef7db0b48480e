#pragma once
// The summary of `haul get` as a pure function: what arrived, what failed, how to fix it.

#include <string>
#include <vector>

#include "cli/draw/progress.h"

namespace haul::cli {

// Groups failures by reason, with one hint per group; cuts long lists.
std::vector<std::string> summary_lines(const GetSummary& summary, Colour colour);

}  // namespace haul::cli

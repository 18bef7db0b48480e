#pragma once
// [stuck.media]: how long a film may be in a state before it counts as stuck.

#include <vector>

#include "app/config/key.h"
#include "store/stuck.h"

namespace haul::app {

ConfigArea stuck_area();

// The thresholds of the lifecycle tables, with those that the configuration sets instead. A
// threshold of zero has no rule.
std::vector<StuckRule> stuck_rules(const Config& config);

}  // namespace haul::app

#pragma once
// The JSON form of lifecycle tables: what `haul lifecycle --json` and the API print.

#include <span>
#include <string>

#include "lifecycle/table.h"
#include "store/stuck.h"

namespace haul::api {

// An array with one object per table. `stuck` says after which time a state's jobs are stuck.
std::string to_json(std::span<const Lifecycle* const> tables,
                    std::span<const StuckRule> stuck = default_stuck_rules());

}  // namespace haul::api

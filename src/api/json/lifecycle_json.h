#pragma once
// The JSON form of lifecycle tables: what `haul lifecycle --json` and the API print. Forms are made
// from the fields in it.

#include <span>
#include <string>
#include <vector>

#include "lifecycle/category.h"
#include "lifecycle/table.h"
#include "store/stuck.h"

namespace haul::api {

// An array with one object per table. `stuck` says after which time a state's jobs are stuck.
// `categories` are the daemon's; without any, forms do not ask for one. Null: not known.
std::string to_json(std::span<const Lifecycle* const> tables,
                    std::span<const StuckRule> stuck = default_stuck_rules(),
                    const std::vector<Category>* categories = nullptr);

}  // namespace haul::api

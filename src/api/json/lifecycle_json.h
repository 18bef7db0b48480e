#pragma once
// The JSON form of lifecycle tables: what `haul lifecycle --json` and the API print.

#include <span>
#include <string>

#include "lifecycle/table.h"

namespace haul::api {

// An array with one object per table.
std::string to_json(std::span<const Lifecycle* const> tables);

}  // namespace haul::api

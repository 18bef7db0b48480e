#pragma once
// The JSON form of `why`: what `haul why --json` and the API print.

#include <string>

#include "flow/why.h"

namespace haul {

std::string to_json(const Why& why);

}  // namespace haul

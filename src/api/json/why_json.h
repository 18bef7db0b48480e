#pragma once
// The JSON form of `why`: what `haul why --json` and the API print.

#include <string>

#include "flow/user/why.h"

namespace haul::api {

std::string to_json(const flow::Why& why);

}  // namespace haul::api

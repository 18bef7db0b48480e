#pragma once
// [log]: what haul writes to its log.

#include "app/config/key.h"
#include "base/level.h"

namespace haul::app {

ConfigArea log_area();

// Lines that matter less are not written.
Level log_level(const Config& config);

}  // namespace haul::app

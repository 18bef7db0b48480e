#pragma once
// What `haul doctor paths` examines, out of the configuration.

#include "app/config/config.h"
#include "app/doctor_paths.h"
#include "base/clock.h"

namespace haul::app {

// Reads the environment, so call it before other threads start. The clock outlives the result.
Result<DoctorPaths> doctor_paths(const Config& config, const Clock& clock);

}  // namespace haul::app

#pragma once
// What the running transfers say about why a job takes its time.

#include "api/live/live_progress.h"
#include "flow/user/why.h"

namespace haul::api {

// `speed` is the limit of all jobs together.
flow::LiveFacts live_facts(const LiveProgress& progress, JobId job, Steady now,
                           const SpeedNow& speed);

}  // namespace haul::api

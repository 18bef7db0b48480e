#pragma once
// What the running transfers say about why a job takes its time.

#include "api/live/live_progress.h"
#include "flow/user/why.h"

namespace haul::api {

// `speed_limit` in bytes per second for all jobs together; zero for no limit.
flow::LiveFacts live_facts(const LiveProgress& progress, JobId job, Steady now,
                           std::int64_t speed_limit);

}  // namespace haul::api

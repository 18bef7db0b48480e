#pragma once
// The idempotency key and the slot of a new job, as its table says. The store finds a job by its
// key or slot only among the jobs of the same owner (Z-26).

#include <span>
#include <string>

#include "base/json.h"
#include "store/job.h"

namespace haul::rules {

// `request` has its defaults.
NewJob::Key key_of(const Lifecycle& lifecycle, UserId owner, std::span<const JsonField> request,
                   Time now);

// `request` has its defaults. Empty if the lifecycle has no slots.
std::string slot_of(const Lifecycle& lifecycle, UserId owner, std::span<const JsonField> request);

}  // namespace haul::rules

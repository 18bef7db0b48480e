#pragma once
// Claims due jobs, lane by lane in turn, and begins their step.

#include <span>

#include "flow/worker/desk.h"

namespace haul::flow {

// Claims or adopts due jobs and begins their step.
void claim(Desk& desk);
// The same, for crowded lanes in which a job has just ended.
void refill(Desk& desk);
// How many jobs the worker can hold, and how many more it can take now.
Capacity capacity_of(const Desk& desk);
// Puts claimed jobs on the desk and begins their step.
void take_claimed(Desk& desk, std::span<const Claim> claims);

}  // namespace haul::flow

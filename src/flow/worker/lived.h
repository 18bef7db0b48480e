#pragma once
// Measures age in uptime: only time in which workers ran counts (promise 6). A clock that is wrong
// at boot, or set forward, makes nothing older. Pure.

#include <optional>
#include <span>

#include "store/uptime.h"

namespace haul::flow {

// The uptime when the wall clock showed `at`. If it showed `at` more than once, the last time
// counts. If no worker ran then, the end of the last stretch before `at` counts.
Millis lived_at(std::span<const Stretch> stretches, Time at);

// The uptime since the wall clock showed `at`, as far as the stretches go.
Millis lived_since(std::span<const Stretch> stretches, Time at);

// Every record from before this wall-clock time is at least `age` old in uptime. Nothing if the
// uptime is less than `age`.
std::optional<Time> older_than(std::span<const Stretch> stretches, Millis lived_now, Millis age);

}  // namespace haul::flow

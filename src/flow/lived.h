#pragma once
// How old something is, counting only time that workers have lived through (promise 6): a clock
// that is wrong at boot, or set forward, makes nothing older. Pure.

#include <optional>
#include <span>

#include "store/uptime.h"

namespace haul {

// How much had been lived when the wall clock said `at`. Where it said so more than once, the last
// time counts; a time that nobody lived through counts as the end of what was lived before it.
Millis lived_at(std::span<const Stretch> stretches, Time at);

// Whatever was written down before this time, by the wall clock, is at least so old. Nothing: not
// so much has been lived.
std::optional<Time> older_than(std::span<const Stretch> stretches, Millis lived_now, Millis age);

}  // namespace haul

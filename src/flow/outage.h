#pragma once
// A time in which the store takes no writes, because its disk is full or another process holds it.
// The worker keeps what it holds and what it is told, and tries a small write every few seconds.

#include <deque>
#include <optional>
#include <string>

#include "base/clock.h"
#include "io/sight.h"
#include "store/refusal.h"

namespace haul {

struct Outage {
  std::string code;    // disk_full or store_busy.
  std::string detail;  // For people: what is wrong, and what to do.
  std::string cause;   // What the store said.
  Time since;
  Steady probed;  // When a write was last tried.
};

constexpr Millis kProbeEvery{5'000};

// The fault is one that passes.
Outage outage_of(const StoreFault& fault, const Clock& clock);

// Puts a sight behind those that wait. Transfers report their progress all the time, so progress
// replaces the last report of the same start: what waits is bounded by what is at work.
void put_behind(std::deque<Sight>& waiting, Sight sight);

}  // namespace haul

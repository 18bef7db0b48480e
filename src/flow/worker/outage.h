#pragma once
// A period in which the store accepts no writes, because its disk is full or another process has
// locked it. The worker keeps its jobs and the sights it receives, and tries a small write every
// few seconds.

#include <deque>
#include <optional>
#include <string>

#include "base/clock.h"
#include "seam/sight.h"
#include "store/refusal.h"

namespace haul::flow {

struct Outage {
  std::string code;    // disk_full or store_busy.
  std::string detail;  // For people: what is wrong, and what to do.
  std::string cause;   // The store's own error.
  Time since;
  Steady probed;  // When a write was last tried.
};

constexpr Millis kProbeEvery{5'000};

// The fault must be one that passes by itself: full or busy.
Outage outage_of(const StoreFault& fault, const Clock& clock);

// Appends a sight to the queue. Transfers report progress all the time, so a progress sight
// replaces the previous one of the same start. This bounds the queue by the number of transfers.
void put_behind(std::deque<Sight>& waiting, Sight sight);

}  // namespace haul::flow

#pragma once
// The only door to the time of day. Handed in wherever time matters, so that tests and the
// simulator can turn it.

#include "base/time.h"

namespace haul {

class Clock {
 public:
  virtual ~Clock() = default;
  // Wall time: may jump either way when somebody sets the clock.
  virtual Time now() const = 0;
  // Steady time: only ever grows, means nothing outside this process.
  virtual Steady steady() const = 0;
};

// The machine's own clock; lives as long as the process.
const Clock& system_clock();

}  // namespace haul

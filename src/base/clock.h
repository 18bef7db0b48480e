#pragma once
// The only source of time. Code that needs the time takes a Clock&, so that tests and the
// simulator can set it.

#include "base/time.h"

namespace haul {

class Clock {
 public:
  virtual ~Clock() = default;
  // Wall time: jumps either way when the system clock is set.
  virtual Time now() const = 0;
  // Steady time: only ever grows, means nothing outside this process.
  virtual Steady steady() const = 0;
};

// The machine's own clock; lives as long as the process.
const Clock& system_clock();

}  // namespace haul

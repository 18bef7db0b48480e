#pragma once
// Says whether it is time again, so that a screen or a log is not flooded.

#include "base/time.h"

namespace haul {

class Pace {
 public:
  explicit Pace(Millis period) : period_(period) {}

  // True at the first call and then once a period.
  bool is_due(Steady now) {
    if (now < next_) return false;
    next_ = now + period_;
    return true;
  }

 private:
  Millis period_;
  Steady next_ = Steady::min();
};

}  // namespace haul

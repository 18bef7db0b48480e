#pragma once
// Says whether it is time again, so that a screen or a log is not flooded.

#include "base/time.h"

namespace haul {

class Pace {
 public:
  explicit Pace(Millis period) : period_(period) {}

  bool would_be_due(Steady now) const { return now >= next_; }
  // True at the first call and then once a period.
  bool is_due(Steady now) {
    if (!would_be_due(now)) return false;
    next_ = now + period_;
    return true;
  }

 private:
  Millis period_;
  Steady next_ = Steady::min();
};

}  // namespace haul

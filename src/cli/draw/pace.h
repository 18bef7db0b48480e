#pragma once
// Limits how often something is drawn or logged.

#include "base/time.h"

namespace haul::cli {

class Pace {
 public:
  explicit Pace(Millis period) : period_(period) {}

  // True at the first call, then once per period.
  bool is_due(Steady now) {
    if (now < next_) return false;
    next_ = now + period_;
    return true;
  }

 private:
  Millis period_;
  Steady next_ = Steady::min();
};

}  // namespace haul::cli

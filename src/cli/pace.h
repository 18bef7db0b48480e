#pragma once
// Says whether it is time again, so that a screen or a log is not flooded.

#include <optional>

#include "base/time.h"

namespace haul {

class Pace {
 public:
  explicit Pace(Millis period) : period_(period) {}

  // True at the first call and then once a period.
  bool is_due(Steady now) {
    if (last_ && now - *last_ < period_) return false;
    last_ = now;
    return true;
  }

 private:
  Millis period_;
  std::optional<Steady> last_;
};

}  // namespace haul

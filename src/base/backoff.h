#pragma once
// How long to wait before another try.

#include "base/time.h"

namespace haul {

struct Backoff {
  Millis base{1'000};
  Millis cap{30'000};
  double jitter = 0.2;  // Plus or minus this share.
  Millis floor{100};

  // The wait after `failures` failures (from 1): base doubled each time up to the cap, then moved
  // by jitter, then clamped to floor and cap. `chance` is from 0 to 1.
  Millis after(int failures, double chance) const;
};

}  // namespace haul

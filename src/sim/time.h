#pragma once
// The simulator's clock: steady time only grows, wall time can be set either way.

#include "base/clock.h"

namespace haul::sim {

class VirtualClock final : public Clock {
 public:
  Time now() const override { return wall_; }
  Steady steady() const override { return steady_; }

  void pass(Millis time) {
    steady_ += time;
    wall_ += time;
  }
  // Sets the wall clock forward or back.
  void jump(Millis by) { wall_ += by; }

 private:
  // Late in a minute, so that a request repeated soon after falls into the next minute.
  Time wall_ = from_unix_ms(1'770'000'042'000);
  Steady steady_{};
};

}  // namespace haul::sim

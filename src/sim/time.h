#pragma once
// Time the simulator turns: steady time only grows, the wall may be set either way.

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
  // Somebody sets the clock.
  void jump(Millis by) { wall_ += by; }

 private:
  // Late in a minute, so that a repetition soon after is in the next one.
  Time wall_ = from_unix_ms(1'770'000'042'000);
  Steady steady_{};
};

}  // namespace haul::sim

#pragma once
// A clock that a test turns while a loop on another thread reads it.

#include <atomic>

#include "base/clock.h"

namespace haul::testing {

class TurnedClock final : public Clock {
 public:
  Time now() const override { return Time{Millis{1'700'000'000'000}}; }
  Steady steady() const override { return Steady{Millis{ms_.load()}}; }
  void pass(Millis time) { ms_ += time.count(); }

 private:
  std::atomic<std::int64_t> ms_ = 5'000'000;
};

}  // namespace haul::testing

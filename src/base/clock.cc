#include "base/clock.h"

namespace haul {
namespace {

class SystemClock final : public Clock {
 public:
  Time now() const override {
    return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
  }
  Steady steady() const override {
    return std::chrono::time_point_cast<Millis>(std::chrono::steady_clock::now());
  }
};

}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

}  // namespace haul

#include "base/backoff.h"

#include <algorithm>
#include <cmath>

namespace haul {

Millis Backoff::after(int failures, double chance) const {
  const int doublings = std::clamp(failures, 1, 41) - 1;
  const double wanted = static_cast<double>(base.count()) * std::exp2(doublings);
  const double capped = std::min(wanted, static_cast<double>(cap.count()));
  const double moved = capped * (1.0 + jitter * (2.0 * std::clamp(chance, 0.0, 1.0) - 1.0));
  return std::clamp(Millis{std::llround(moved)}, floor, cap);
}

}  // namespace haul

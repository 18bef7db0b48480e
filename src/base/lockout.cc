#include "base/lockout.h"

#include <algorithm>

namespace haul {
namespace {

constexpr int kFree = 4;
constexpr Millis kFirst{1'000};
constexpr Millis kMost = std::chrono::minutes{15};
constexpr Millis kForgotten = std::chrono::hours{24};
constexpr int kDoublingsMax = 10;  // 1,024 seconds, which is more than kMost.

}  // namespace

Millis lockout_after(int failures) {
  if (failures <= kFree) return Millis{0};
  const int doublings = std::min(failures - kFree - 1, kDoublingsMax);
  return std::min(kFirst * (1 << doublings), kMost);
}

std::optional<Time> refused_until(const LoginFailures& failures, Time now) {
  const Time until = failures.last_at + lockout_after(failures.count);
  if (failures.last_at > now || until <= now) return std::nullopt;
  return until;
}

bool is_forgotten(const LoginFailures& failures, Time now) {
  return now - failures.last_at >= kForgotten;
}

}  // namespace haul

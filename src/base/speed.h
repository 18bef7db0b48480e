#pragma once
// Bytes per second over the last three seconds, and how long the rest will take.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>

#include "base/time.h"

namespace haul {

class Speed {
 public:
  // `have` is the number of bytes so far.
  void see(Steady now, std::int64_t have) {
    seen_[now] = have;
    while (seen_.size() > 2 && now - seen_.begin()->first > kOver) seen_.erase(seen_.begin());
  }
  double per_second() const {
    if (seen_.size() < 2) return 0;
    const auto& [first, had] = *seen_.begin();
    const auto& [last, has] = *seen_.rbegin();
    const double passed = std::chrono::duration<double>(last - first).count();
    return passed <= 0 ? 0 : std::max(0.0, static_cast<double>(has - had) / passed);
  }

 private:
  static constexpr Millis kOver{3'000};
  std::map<Steady, std::int64_t> seen_;
};

// Nothing if `left` is not known or the speed is below one byte per second.
inline std::optional<std::chrono::seconds> eta(std::optional<std::int64_t> left, double speed) {
  if (!left || *left < 0 || speed < 1) return std::nullopt;
  return std::chrono::seconds{static_cast<std::int64_t>(static_cast<double>(*left) / speed)};
}

}  // namespace haul

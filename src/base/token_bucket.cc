#include "base/token_bucket.h"

#include <algorithm>

#include "base/ensure.h"

namespace haul {
namespace {

constexpr std::int64_t kMilli = 1'000;
constexpr std::int64_t kPieceMin = 1'024;
constexpr std::int64_t kPieceMax = std::int64_t{512} << 10U;
constexpr std::int64_t kPiecesASecond = 64;
constexpr std::int64_t kFillsASecond = 8;
constexpr std::int64_t kPerSecondMax = std::int64_t{1} << 40U;  // Keeps products within 64 bits.

}  // namespace

TokenBucket::TokenBucket(std::int64_t per_second, Steady now)
    : per_second_{std::clamp<std::int64_t>(per_second, 1, kPerSecondMax)},
      level_milli_{capacity() * kMilli},
      earned_at_{now} {}

std::int64_t TokenBucket::piece() const {
  return std::clamp(per_second_ / kPiecesASecond, kPieceMin, kPieceMax);
}

std::int64_t TokenBucket::capacity() const {
  return std::max(per_second_ / kFillsASecond, piece());
}

void TokenBucket::earn(Steady now) {
  if (now <= earned_at_) return;
  // An hour earns more than any debt or capacity, so longer waits need not be counted.
  const std::int64_t ms = std::min<std::int64_t>((now - earned_at_).count(), 3'600'000);
  earned_at_ = now;
  level_milli_ = std::min(level_milli_ + ms * per_second_, capacity() * kMilli);
}

std::int64_t TokenBucket::level() const {
  const std::int64_t below = level_milli_ < 0 ? kMilli - 1 : 0;
  return (level_milli_ - below) / kMilli;
}

void TokenBucket::take(std::int64_t bytes) {
  ensure(bytes >= 0, "a bucket gives a number of bytes that is not negative");
  level_milli_ -= bytes * kMilli;
}

void TokenBucket::give_back(std::int64_t bytes) {
  ensure(bytes >= 0, "a bucket gets back a number of bytes that is not negative");
  level_milli_ = std::min(level_milli_ + bytes * kMilli, capacity() * kMilli);
}

Millis TokenBucket::until(std::int64_t bytes) const {
  const std::int64_t missing = bytes * kMilli - level_milli_;
  if (missing <= 0) return Millis{0};
  return Millis{(missing + per_second_ - 1) / per_second_};
}

bool TokenBucket::is_full() const { return level_milli_ >= capacity() * kMilli; }

}  // namespace haul

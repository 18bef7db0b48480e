#pragma once
// A token bucket: so many bytes a second, and a little saved up. Time is handed in.

#include <cstdint>

#include "base/time.h"

namespace haul {

class TokenBucket {
 public:
  // `per_second` is at least one. The bucket begins full.
  TokenBucket(std::int64_t per_second, Steady now);

  // Earns what the time since the last call is worth.
  void earn(Steady now);
  // What can be taken now; below zero: a debt.
  std::int64_t level() const;
  // More than there is becomes a debt, which later earnings pay first.
  void take(std::int64_t bytes);
  // What was taken and not used. No more is kept than the bucket holds.
  void give_back(std::int64_t bytes);
  // Until this much can be taken, if nothing else is; zero: now.
  Millis until(std::int64_t bytes) const;
  bool is_full() const;
  // What it holds: an eighth of a second, so that a late turn of a loop loses nothing.
  std::int64_t capacity() const;
  // What one read should take at most: a part of a second small enough for many to share.
  std::int64_t piece() const;

 private:
  std::int64_t per_second_;
  std::int64_t level_milli_;  // Thousandths of a byte: a millisecond at one byte a second counts.
  Steady earned_at_;
};

}  // namespace haul

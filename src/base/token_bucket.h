#pragma once
// A token bucket: limits bytes per second and allows a short burst. The caller passes the time in.

#include <cstdint>

#include "base/time.h"

namespace haul {

class TokenBucket {
 public:
  // Raises `per_second` to at least one. The bucket starts full.
  TokenBucket(std::int64_t per_second, Steady now);

  // Adds the bytes earned since the last call.
  void earn(Steady now);
  // The bytes that can be taken now. Negative if there is a debt.
  std::int64_t level() const;
  // Taking more than the level leaves a debt, which later earnings pay first.
  void take(std::int64_t bytes);
  // Returns bytes that were taken and not used, up to the capacity.
  void give_back(std::int64_t bytes);
  // The time until this many bytes can be taken if nothing else is taken. Zero if they can be now.
  Millis until(std::int64_t bytes) const;
  bool is_full() const;
  // What the bucket holds: the bytes of an eighth of a second, at least one piece. A loop that runs
  // late loses nothing.
  std::int64_t capacity() const;
  // The most that one read should take: the bytes of 1/64 second, at least 1 KiB, at most 512 KiB.
  // Small enough for many transfers to share the rate.
  std::int64_t piece() const;

 private:
  std::int64_t per_second_;
  std::int64_t level_milli_;  // 1/1000 byte: what one ms at one byte per second earns.
  Steady earned_at_;
};

}  // namespace haul

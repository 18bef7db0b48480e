#pragma once
// How long workers of this store have run, by their steady clocks, and the wall-clock times of
// those periods. Time without a worker does not count, nor does time that the wall clock jumped
// over.

#include <cstdint>
#include <vector>

#include "base/time.h"

namespace haul {

// A period in which the wall clock and the steady clock advanced together.
struct Stretch {
  std::int64_t id = 0;
  Time from;  // By the wall clock.
  Time to;
  Millis lived_before{0};  // Uptime of the store when this stretch began.

  bool operator==(const Stretch&) const = default;
};

// The store keeps this many stretches and removes the oldest.
inline constexpr std::size_t kStretchesMax = 1'000;

class Uptime {
 public:
  virtual ~Uptime() = default;

  // Begins a stretch. Its lived_before is the uptime in the store, or `lived` if that is more.
  virtual Stretch begin(Time at, Millis lived) = 0;
  virtual void extend(std::int64_t id, Time to) = 0;
  // All stretches in the order they began.
  virtual std::vector<Stretch> list() = 0;
};

}  // namespace haul

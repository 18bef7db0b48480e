#pragma once
// How long workers of this store have run, by their steady clocks, and what the wall clock said
// meanwhile. Time during which no worker ran does not count, nor does time that the wall clock
// jumped over.

#include <cstdint>
#include <vector>

#include "base/time.h"

namespace haul {

// A while during which both clocks went together.
struct Stretch {
  std::int64_t id = 0;
  Time from;  // By the wall clock.
  Time to;
  Millis lived_before{0};  // How much was lived when it began.

  bool operator==(const Stretch&) const = default;
};

// The store keeps this many and forgets the oldest.
inline constexpr std::size_t kStretchesMax = 1'000;

class Uptime {
 public:
  virtual ~Uptime() = default;

  // Begins a stretch. What was lived before it is what the store knows of, or `lived` if that is
  // more.
  virtual Stretch begin(Time at, Millis lived) = 0;
  virtual void extend(std::int64_t id, Time to) = 0;
  // In the order they began.
  virtual std::vector<Stretch> list() = 0;
};

}  // namespace haul

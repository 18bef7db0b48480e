#pragma once
// Sums of sizes that servers make up.

#include <cstdint>
#include <limits>

namespace haul {

// The sum of two sizes that are not negative. At most the largest number: it never overflows.
constexpr std::int64_t sum_of_sizes(std::int64_t one, std::int64_t other) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return one > kMost - other ? kMost : one + other;
}

}  // namespace haul

#pragma once
// The limits in a batch's own request. They apply to that job only, and can only tighten the
// configured ones (Z-11).

#include <cstddef>
#include <expected>
#include <span>
#include <string>

#include "base/id.h"
#include "base/json.h"
#include "base/time.h"

namespace haul {

struct OwnLimits {
  JobId job;                // The job whose requests count.
  std::size_t at_once = 0;  // Parallel requests to one host; 0 for the configured limit.
  Millis apart{0};          // Minimum time between two starts at one host.
};

inline constexpr std::size_t kOwnAtOnceMax = 1'000;
inline constexpr Millis kOwnApartMax{3'600'000};

// Reads them from the fields of a request. An error names the path, the value and what was
// expected.
std::expected<OwnLimits, std::string> read_own_limits(std::span<const JsonField> request);

}  // namespace haul

#pragma once
// The limits in a batch's own request. They apply to that job only, and can only tighten the
// configured ones (Z-11).

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include "base/id.h"
#include "base/json.h"
#include "base/time.h"
#include "store/refusal.h"

namespace haul {

struct OwnLimits {
  JobId job;                // The job whose requests count.
  std::size_t at_once = 0;  // Parallel requests to one host; 0 for the configured limit.
  Millis apart{0};          // Minimum time between two starts at one host.
};

inline constexpr std::int64_t kOwnAtOnceMax = 1'000;
inline constexpr Millis kOwnApartMax{3'600'000};

// Out of the fields of a request, or what check_request refuses of them.
std::expected<OwnLimits, Refusal> read_own_limits(std::span<const JsonField> request);

}  // namespace haul

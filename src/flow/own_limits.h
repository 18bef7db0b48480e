#pragma once
// The limits a batch brings in its own request. They bind that job alone, and only tighten what the
// configuration allows (Z-11).

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
  JobId job;                // Whose requests they count.
  std::size_t at_once = 0;  // Requests of this job at one host; 0: as many as the configuration.
  Millis apart{0};          // Between two starts of this job at one host.
};

inline constexpr std::int64_t kOwnAtOnceMax = 1'000;
inline constexpr Millis kOwnApartMax{3'600'000};

// Out of the fields of a request, or what check_request refuses of them.
std::expected<OwnLimits, Refusal> read_own_limits(std::span<const JsonField> request);

}  // namespace haul

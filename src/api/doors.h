#pragma once
// Rate limits of the API: wrong keys and passwords per address, requests per user.

#include <optional>
#include <string>
#include <string_view>

#include "api/reply.h"
#include "base/rate_limit.h"

namespace haul {

struct Doors {
  RateLimit wrong_keys{{.burst = 20, .per_second = 1}};     // Per address.
  RateLimit passwords{{.burst = 20, .per_second = 1}};      // Per address; right ones are free.
  RateLimit requests{{.burst = 2'000, .per_second = 500}};  // Per user; admins have no limit.
};

// The key that an address is counted under: itself, or the /64 of an IPv6 address, because one
// client usually owns all of it.
std::string address_group(const std::string& address);

// 429 with the time to wait. Nullopt if granted.
std::optional<ApiError> spend(RateLimit& limit, const std::string& key, Steady now);

}  // namespace haul

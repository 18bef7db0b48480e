#pragma once
// How often the API may be tried: wrong keys and passwords from one address, requests of one user;
// and how often the log is told of it.

#include <optional>
#include <string>
#include <string_view>

#include "api/reply.h"
#include "base/rate_limit.h"

namespace haul {

struct Doors {
  RateLimit wrong_keys{{.burst = 20, .per_second = 1}};     // From one address.
  RateLimit passwords{{.burst = 20, .per_second = 1}};      // Likewise; right ones do not count.
  RateLimit requests{{.burst = 2'000, .per_second = 500}};  // Of one user who is no admin.
  RateLimit told{{.burst = 3, .per_second = 1.0 / 60}};     // Lines of one kind about one address.
};

// The key that an address is counted under: itself, or the /64 of an IPv6 address, because one
// client usually owns all of it.
std::string address_group(const std::string& address);

// 429 with the time to wait. Nullopt if granted.
std::optional<ApiError> spend(RateLimit& limit, const std::string& key, Steady now);

}  // namespace haul

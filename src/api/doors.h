#pragma once
// Rate limits of the API: wrong keys and passwords from one address, requests of one user, and log
// lines about them.

#include <optional>
#include <string>
#include <string_view>

#include "api/reply.h"
#include "base/rate_limit.h"

namespace haul::api {

struct Doors {
  RateLimit wrong_keys{{.burst = 20, .per_second = 1}};  // From one address.
  RateLimit passwords{
      {.burst = 20, .per_second = 1}};  // From one address; correct ones do not count.
  RateLimit requests{{.burst = 2'000, .per_second = 500}};  // Of one user who is not an admin.
  RateLimit told{{.burst = 3, .per_second = 1.0 / 60}};     // Lines of one kind about one address.
};

// The key under which an address is counted. For an IPv6 address it is the /64, because one client
// usually owns all of it.
std::string address_group(const std::string& address);

// Nullopt if the limit allows it; else 429 with the time to wait.
std::optional<ApiError> spend(RateLimit& limit, const std::string& key, Steady now);

}  // namespace haul::api

#include "base/rate_limit.h"

#include <doctest/doctest.h>

namespace haul {
namespace {

using namespace std::chrono_literals;

constexpr Steady kNow{Millis{5'000'000}};

int granted(RateLimit& limit, const std::string& key, Steady now, int tries) {
  int count = 0;
  for (int i = 0; i < tries; ++i) count += limit.spend(key, now) ? 0 : 1;
  return count;
}

}  // namespace

TEST_CASE("a rate limit grants its burst, then one each period, to the millisecond") {
  RateLimit limit{{.burst = 3, .per_second = 0.5}};

  CHECK(granted(limit, "a", kNow, 10) == 3);
  CHECK((limit.spend("a", kNow) == 2000ms));
  CHECK((limit.spend("a", kNow + 1999ms) == 1ms));
  CHECK_FALSE(limit.spend("a", kNow + 2000ms).has_value());
  CHECK(granted(limit, "a", kNow + 1h, 10) == 3);
}

TEST_CASE("each key has its own burst, and what is given back can be taken again") {
  RateLimit limit{{.burst = 1, .per_second = 1}};
  REQUIRE_FALSE(limit.spend("a", kNow).has_value());

  CHECK_FALSE(limit.spend("b", kNow).has_value());
  CHECK(limit.spend("a", kNow).has_value());
  limit.give_back("a", kNow);
  CHECK_FALSE(limit.spend("a", kNow).has_value());
  CHECK(limit.spend("a", kNow).has_value());
}

TEST_CASE("many made-up keys do not push out a used-up one; they share what is left") {
  RateLimit limit{{.burst = 2, .per_second = 0.001, .keys_max = 10}};
  REQUIRE(granted(limit, "real", kNow, 5) == 2);

  int others = 0;
  for (int i = 0; i < 100; ++i) others += granted(limit, std::to_string(i), kNow, 5);

  CHECK(others == 2 * 9 + 2);  // Nine keys with their own count, one count for the rest.
  CHECK(limit.spend("real", kNow).has_value());
}

TEST_CASE("a full table takes new keys again once old ones have their whole burst") {
  RateLimit limit{{.burst = 2, .per_second = 1, .keys_max = 2}};
  REQUIRE(granted(limit, "a", kNow, 1) == 1);
  REQUIRE(granted(limit, "b", kNow, 2) == 2);
  REQUIRE(granted(limit, "c", kNow, 5) == 2);

  CHECK(granted(limit, "d", kNow + 1s, 5) == 2);  // "a" has its whole burst again and is forgotten.
  CHECK(granted(limit, "b", kNow + 1s, 5) == 1);
}

}  // namespace haul

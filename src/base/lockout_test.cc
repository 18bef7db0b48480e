#include "base/lockout.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace haul {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = from_unix_ms(1'770'000'000'000);

}  // namespace

TEST_CASE("promise 21: the first four failures cost nothing, the fifth a second, then it doubles") {
  std::string waits;
  for (int failures = 0; failures <= 16; ++failures)
    waits += std::to_string(lockout_after(failures).count() / 1000) + " ";

  CHECK(waits == "0 0 0 0 0 1 2 4 8 16 32 64 128 256 512 900 900 ");
}

TEST_CASE("promise 21: no number of failures waits longer than 15 minutes, or less than none") {
  CHECK((lockout_after(std::numeric_limits<int>::max()) == 15min));
  CHECK((lockout_after(1'000'000) == 15min));
  CHECK((lockout_after(-1) == 0ms));
  CHECK((lockout_after(std::numeric_limits<int>::min()) == 0ms));
}

TEST_CASE("promise 21: a name is refused until its wait is over, to the millisecond") {
  CHECK_FALSE(refused_until({4, kNow}, kNow).has_value());
  CHECK((refused_until({5, kNow}, kNow) == kNow + 1s));
  CHECK((refused_until({5, kNow}, kNow + 999ms) == kNow + 1s));
  CHECK_FALSE(refused_until({5, kNow}, kNow + 1s).has_value());
  CHECK((refused_until({99, kNow}, kNow + 15min - 1ms) == kNow + 15min));
  CHECK_FALSE(refused_until({99, kNow}, kNow + 15min).has_value());
  CHECK_FALSE(refused_until({}, kNow).has_value());
}

TEST_CASE("promise 6: a clock set back locks no user out") {
  CHECK_FALSE(refused_until({99, kNow}, kNow - 1ms).has_value());
  CHECK_FALSE(refused_until({99, kNow}, kNow - 24h * 365).has_value());
  CHECK_FALSE(is_forgotten({99, kNow}, kNow - 24h * 365));
}

TEST_CASE("failures are forgotten a day after the last, not a millisecond before") {
  CHECK_FALSE(is_forgotten({5, kNow}, kNow));
  CHECK_FALSE(is_forgotten({5, kNow}, kNow + 24h - 1ms));
  CHECK(is_forgotten({5, kNow}, kNow + 24h));
}

}  // namespace haul

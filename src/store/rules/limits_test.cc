#include "store/rules/limits.h"

#include <doctest/doctest.h>

#include <limits>

namespace haul::rules {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = from_unix_ms(1'770'000'000'000);
constexpr HostRule kRule{.at_once = 2, .apart = 1s};

// How long a request waits; nothing if it may start.
std::optional<Millis> wait(const HostUse& use, const HostRule& rule = kRule) {
  const auto until = wait_until(use, rule, kNow);
  return until ? std::optional{*until - kNow} : std::nullopt;
}

}  // namespace

TEST_CASE("Z-11: requests start one second apart, not a millisecond earlier") {
  CHECK_FALSE(wait({}).has_value());
  CHECK((wait({.held = 0, .started_at = kNow - 999ms, .blocked_until = {}}) == 1ms));
  CHECK_FALSE(wait({.held = 0, .started_at = kNow - 1s, .blocked_until = {}}).has_value());
}

TEST_CASE("Z-11: two requests run at once; a third asks again in a moment") {
  const Time long_ago = kNow - 1h;
  CHECK_FALSE(wait({.held = 1, .started_at = long_ago, .blocked_until = {}}).has_value());
  CHECK((wait({.held = 2, .started_at = long_ago, .blocked_until = {}}) == 250ms));
  CHECK_FALSE(
      wait({.held = 0, .started_at = long_ago, .blocked_until = {}}, {.at_once = 0, .apart = 0s})
          .has_value());  // A limit of 0 means 1.
}

TEST_CASE("Z-11: a block counts up to ten minutes; a later end was written by a wrong clock") {
  const auto blocked = [](Millis time) {
    return wait({.held = 0, .started_at = {}, .blocked_until = kNow + time});
  };
  CHECK_FALSE(blocked(0s).has_value());
  CHECK((blocked(1ms) == 1ms));
  CHECK((blocked(10min) == 10min));
  CHECK_FALSE(blocked(10min + 1ms).has_value());
}

TEST_CASE("Z-11: a second Retry-After prolongs a block, never beyond ten minutes from now") {
  const auto after = [](Millis stored, Millis wanted) -> Millis {
    return block_after(kNow + stored, kNow + wanted, kNow) - kNow;
  };
  CHECK((after(-1h, 30s) == 30s));
  CHECK((after(20s, 30s) == 30s));
  CHECK((after(30s, 20s) == 30s));
  CHECK((after(0s, 10min) == 10min));
  CHECK((after(0s, 10min + 1ms) == 10min));
}

TEST_CASE("promise 6: a new block replaces one that ends later than any block may") {
  const auto after = [](Millis stored) -> Millis {
    return block_after(kNow + stored, kNow + 30s, kNow) - kNow;
  };
  CHECK((after(10min) == 10min));
  CHECK((after(10min + 1ms) == 30s));
}

TEST_CASE("a lane has room up to its limit, none while its host is blocked, and 0 is no limit") {
  const auto room = [](std::size_t running, Millis blocked, std::size_t at_once) {
    return room_in({.running = running, .blocked_until = kNow + blocked}, at_once, kNow);
  };
  CHECK(room(0, 0s, 2) == 2);
  CHECK(room(1, 0s, 2) == 1);
  CHECK(room(2, 0s, 2) == 0);
  CHECK(room(3, 0s, 2) == 0);
  CHECK(room(0, 1ms, 2) == 0);
  CHECK(room(0, 10min, 2) == 0);
  CHECK(room(0, 10min + 1ms, 2) == 2);
  CHECK(room(9, 1ms, 0) == std::numeric_limits<std::size_t>::max());
}

TEST_CASE("promise 6: only a start after now is ahead") {
  const auto ahead = [](Millis by) {
    return is_start_ahead({.held = 0, .started_at = kNow + by, .blocked_until = {}}, kNow);
  };
  CHECK_FALSE(ahead(-1ms));
  CHECK_FALSE(ahead(0ms));
  CHECK(ahead(1ms));
}

TEST_CASE("promise 6: a start in the future counts as one now") {
  CHECK((wait({.held = 0, .started_at = kNow + 24h, .blocked_until = {}}) == 1s));
}

}  // namespace haul::rules

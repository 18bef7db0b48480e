// The limit of the process by time of day, for a transfer that runs through it.

#include "io/web/throttle.h"

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;
using For = io::SpeedLimits::For;

// What a transfer with a fast server reads in a second.
std::int64_t read_in_a_second(HandClock& clock, io::Throttle::Share& share) {
  std::int64_t read = 0;
  for (int turn = 0; turn < 200; ++turn, clock.pass(5ms))
    for (int i = 0; i < 10 && share.may(For::read); ++i) {
      share.count(share.piece());
      read += share.piece();
    }
  return read;
}

SpeedPlan limited_at(Time from, const char* rate) {
  SpeedPlan plan{.windows = {read_speed_window("00:00-24:00 " + std::string{rate}).value()}};
  const auto day = std::chrono::floor<std::chrono::days>(from);
  plan.windows.front().from = std::chrono::floor<Minutes>(from - day);
  plan.windows.front().to = plan.windows.front().from + 1min;
  return plan;
}

}  // namespace

TEST_CASE("a running transfer follows the schedule within a second, into a window and out of it") {
  HandClock clock;
  clock.pass(24h * 1 + 12h - clock.now().time_since_epoch() % 24h);  // Noon.
  io::Throttle throttle{clock, limited_at(clock.now() + 1min, "64K")};
  const auto share = throttle.join(JobId{1}, 0);
  REQUIRE(share);
  clock.pass(58s);

  CHECK(read_in_a_second(clock, *share) > 1'000'000);
  CHECK(read_in_a_second(clock, *share) > 1'000'000);  // The last second before the window.
  read_in_a_second(clock, *share);
  CHECK(read_in_a_second(clock, *share) <= 72 * 1'024);
  clock.pass(57s);
  read_in_a_second(clock, *share);
  read_in_a_second(clock, *share);
  CHECK(read_in_a_second(clock, *share) > 1'000'000);
}

TEST_CASE("a wall clock that is set changes the limit; without a schedule no share is needed") {
  HandClock clock;
  clock.pass(24h * 1 + 12h - clock.now().time_since_epoch() % 24h);
  io::Throttle throttle{clock, limited_at(clock.now() + 1h, "64K")};
  const auto share = throttle.join(JobId{1}, 0);
  REQUIRE(share);
  CHECK(read_in_a_second(clock, *share) > 1'000'000);
  clock.set(1h);
  read_in_a_second(clock, *share);
  CHECK(read_in_a_second(clock, *share) <= 72 * 1'024);

  io::Throttle free{clock, SpeedPlan{}};
  CHECK(free.join(JobId{1}, 0) == nullptr);
}

}  // namespace haul::testing

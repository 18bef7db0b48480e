#include "flow/worker/lived.h"

#include <doctest/doctest.h>

using namespace haul;
using namespace std::chrono_literals;

namespace {

constexpr Time at(int seconds) { return Time{Millis{seconds * 1'000}}; }

// Ten seconds of uptime, twenty without a worker, thirty more of uptime.
const std::vector<Stretch> kGap{{1, at(100), at(110), 0s}, {2, at(130), at(160), 10s}};
// Ten seconds; the clock is set back by fifty; ten seconds; the clock is right again.
const std::vector<Stretch> kSetBack{
    {1, at(100), at(110), 0s}, {2, at(60), at(70), 10s}, {3, at(120), at(130), 20s}};
// The clock is set back by five seconds, so that it shows some times twice.
const std::vector<Stretch> kTwice{{1, at(100), at(110), 0s}, {2, at(105), at(120), 10s}};

}  // namespace

TEST_CASE("promise 6: how much was lived at a time, within stretches and between them") {
  CHECK(flow::lived_at(kGap, at(100)) == 0s);
  CHECK(flow::lived_at(kGap, at(110)) == 10s);
  CHECK(flow::lived_at(kGap, at(120)) == 10s);
  CHECK(flow::lived_at(kGap, at(130)) == 10s);
  CHECK(flow::lived_at(kGap, at(160)) == 40s);
  CHECK(flow::lived_at(kGap, at(999)) == 40s);
  CHECK(flow::lived_at(kGap, at(0)) == 0s);
  CHECK(flow::lived_at({}, at(0)) == 0s);
}

TEST_CASE(
    "promise 6: a time under a clock that was set back counts, and a time lived twice is late") {
  CHECK(flow::lived_at(kSetBack, at(105)) == 5s);
  CHECK(flow::lived_at(kSetBack, at(65)) == 15s);
  CHECK(flow::lived_at(kSetBack, at(125)) == 25s);
  CHECK(flow::lived_at(kTwice, at(104)) == 4s);
  CHECK(flow::lived_at(kTwice, at(106)) == 11s);
}

TEST_CASE("promise 6: what was before all that is remembered counts as no older than that") {
  const std::vector<Stretch> forgotten{{7, at(130), at(160), 10s}};
  CHECK(flow::lived_at(forgotten, at(0)) == 10s);
}

TEST_CASE("promise 6: before which time all is so old, on both sides of a gap") {
  CHECK(flow::older_than(kGap, 40s, 30s) == at(110));
  CHECK(flow::older_than(kGap, 40s, 29s) == at(131));
  CHECK(flow::older_than(kGap, 40s, 31s) == at(109));
  CHECK(flow::older_than(kGap, 40s, 40s) == at(100));
  CHECK_FALSE(flow::older_than(kGap, 40s, 41s));
  CHECK(flow::older_than(kSetBack, 30s, 15s) == at(65));
  CHECK_FALSE(flow::older_than({}, 40s, 30s));
}

TEST_CASE("promise 6: nothing counts as old by a time that is no longer remembered") {
  const std::vector<Stretch> forgotten{{7, at(130), at(160), 10s}, {8, at(200), at(210), 40s}};
  CHECK(flow::older_than(forgotten, 50s, 40s) == at(130));
  CHECK_FALSE(flow::older_than(forgotten, 50s, 41s));
  CHECK_FALSE(flow::older_than(forgotten, 50s, 50s));
}

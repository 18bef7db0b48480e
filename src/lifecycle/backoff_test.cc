#include "base/backoff.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <climits>
#include <cmath>
#include <limits>
#include <string>

#include "lifecycle/tables.h"

namespace haul {
namespace {

using namespace std::chrono_literals;

constexpr double kEven = 0.5;  // No jitter either way.

// The waits after 1 to `failures` failures, in milliseconds: "1000 2000 4000".
std::string waits(const Backoff& backoff, int failures, double chance) {
  std::string text;
  for (int i = 1; i <= failures; ++i)
    text += (i == 1 ? "" : " ") + std::to_string(backoff.after(i, chance).count());
  return text;
}

}  // namespace

TEST_CASE("S2-21: an item waits 1, 2, 4, 8 s before its second to fifth try") {
  CHECK(waits(kItem.backoff, 4, kEven) == "1000 2000 4000 8000");
}

TEST_CASE("S2-21: jitter moves a wait by 20 % at most, either way") {
  CHECK(waits(kItem.backoff, 4, 0.0) == "800 1600 3200 6400");
  CHECK(waits(kItem.backoff, 4, 1.0) == "1200 2400 4800 9600");
}

TEST_CASE(
    "A2-11: the cap of 30 s holds after jitter: the fifth wait is under it, the sixth at it") {
  CHECK((kItem.backoff.after(5, kEven) == 16s));
  CHECK((kItem.backoff.after(5, 1.0) == 19'200ms));
  CHECK((kItem.backoff.after(6, kEven) == 30s));
  CHECK((kItem.backoff.after(6, 1.0) == 30s));  // Not 36.
  CHECK((kItem.backoff.after(6, 0.0) == 24s));
  CHECK((kItem.backoff.after(1'000, 1.0) == 30s));
}

TEST_CASE(
    "A2-11: the floor is 0.1 s: 125 ms less 20 % is at it, 124 ms less 20 % is lifted to it") {
  CHECK((Backoff{.base = 126ms}.after(1, 0.0) == 101ms));
  CHECK((Backoff{.base = 125ms}.after(1, 0.0) == 100ms));
  CHECK((Backoff{.base = 124ms}.after(1, 0.0) == 100ms));
  CHECK((Backoff{.base = 0ms}.after(1, kEven) == 100ms));
  CHECK((Backoff{.base = 0ms}.after(50, 1.0) == 100ms));
}

TEST_CASE("A3-12: a relay waits 2^attempt seconds: 2, 4, 8, 16, then 30") {
  CHECK(waits(kRelay.backoff, 6, kEven) == "2000 4000 8000 16000 30000 30000");
  CHECK((kRelay.backoff.after(1, 0.0) == 1'600ms));
  CHECK((kRelay.backoff.after(1, 1.0) == 2'400ms));
}

TEST_CASE("A4-5: an image waits 2 s doubled each time, at most five minutes, jitter 20 %") {
  CHECK(waits(kImage.backoff, 9, kEven) == "2000 4000 8000 16000 32000 64000 128000 256000 300000");
  CHECK((kImage.backoff.after(8, 1.0) == 300s));  // Not 307.2.
  CHECK((kImage.backoff.after(8, 0.0) == 204'800ms));
  CHECK((kImage.backoff.after(9, 0.0) == 240s));
}

TEST_CASE("no failure yet, or fewer, waits as after the first: 0, -1 and almost the smallest int") {
  for (const int failures : {1, 0, -1, INT_MIN + 1})
    CHECK((kItem.backoff.after(failures, kEven) == 1s));
}

TEST_CASE("promise 17: the greatest int waits the cap, in every lifecycle") {
  CHECK((kItem.backoff.after(INT_MAX, kEven) == 30s));
  CHECK((kRelay.backoff.after(INT_MAX, kEven) == 30s));
  CHECK((kImage.backoff.after(INT_MAX, kEven) == 300s));
}

TEST_CASE(
    "a chance outside 0..1 counts as the nearer end, and one that is no number does no harm") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK((kItem.backoff.after(1, -0.001) == 800ms));
  CHECK((kItem.backoff.after(1, -infinity) == 800ms));
  CHECK((kItem.backoff.after(1, 1.001) == 1'200ms));
  CHECK((kItem.backoff.after(1, infinity) == 1'200ms));
  const Millis odd = kItem.backoff.after(1, std::nan(""));
  CHECK((odd >= 100ms));
  CHECK((odd <= 30s));
}

TEST_CASE("A2-11: any failures and any chance give a wait between floor and cap") {
  CHECK(rc::check([] {
    const int failures = *rc::gen::inRange(INT_MIN + 1, INT_MAX);
    const double chance = *rc::gen::arbitrary<double>();
    for (const Backoff& backoff : {kItem.backoff, kRelay.backoff, kImage.backoff}) {
      const Millis wait = backoff.after(failures, chance);
      RC_ASSERT(wait >= backoff.floor);
      RC_ASSERT(wait <= backoff.cap);
    }
  }));
}

TEST_CASE("S2-21: for equal chance one more failure never waits less") {
  CHECK(rc::check([] {
    const int failures = *rc::gen::inRange(-50, 100);
    const double chance = *rc::gen::inRange(0, 1'001) / 1'000.0;
    for (const Backoff& backoff : {kItem.backoff, kRelay.backoff, kImage.backoff})
      RC_ASSERT(backoff.after(failures, chance) <= backoff.after(failures + 1, chance));
  }));
}

TEST_CASE("S2-21: for equal failures a greater chance never waits less, and 20 % is the most") {
  CHECK(rc::check([] {
    const int failures = *rc::gen::inRange(1, 20);
    const double less = *rc::gen::inRange(0, 1'000) / 1'000.0;
    const double more = *rc::gen::inRange(static_cast<int>(less * 1'000), 1'001) / 1'000.0;
    const Millis middle = kItem.backoff.after(failures, kEven);
    RC_ASSERT(kItem.backoff.after(failures, less) <= kItem.backoff.after(failures, more));
    RC_ASSERT(kItem.backoff.after(failures, less) * 10 >= middle * 8);
    RC_ASSERT(kItem.backoff.after(failures, more) * 10 <= middle * 12);
  }));
}

TEST_CASE("A2-11: the smallest int is few failures, not many") {
  CHECK((kItem.backoff.after(INT_MIN, 0.5) == Millis{1'000}));
}

}  // namespace haul

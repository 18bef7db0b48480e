#include "flow/places.h"

#include <doctest/doctest.h>

#include "support/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr HostRule kApart{.at_once = 2, .apart = 1'000ms};
constexpr HostRule kTogether{.at_once = 2, .apart = 0ms};

struct Desks {
  Stage s;
  WorkerId other = s.store().workers().enlist("other", s.clock.now());
  Places ours{s.store().limits(), s.clock, s.worker().id()};
  Places theirs{s.store().limits(), s.clock, other};
};

}  // namespace

TEST_CASE("a place that may follow at once passes on without the store, and goes back if unused") {
  Desks d;
  REQUIRE(d.ours.take("h", kTogether));
  REQUIRE(d.ours.take("h", kTogether));
  REQUIRE_FALSE(d.ours.take("h", kTogether));

  d.ours.give("h");
  CHECK(d.s.places("h") == 2);  // Still ours.
  CHECK(d.ours.take("h", kTogether));
  d.ours.give("h");
  d.ours.give_back_spare();
  CHECK(d.s.places("h") == 1);
}

TEST_CASE("a place passes on for less than a second, then others get their turn") {
  Desks d;
  REQUIRE(d.ours.take("h", kTogether));
  REQUIRE(d.ours.take("h", kTogether));
  REQUIRE_FALSE(d.theirs.take("h", kTogether));

  d.s.clock.pass(999ms);
  d.ours.give("h");
  CHECK(d.ours.take("h", kTogether));
  d.s.clock.pass(1ms);
  d.ours.give("h");
  CHECK(d.theirs.take("h", kTogether));
}

TEST_CASE("S2-23: where starts must be apart every one of them asks the store") {
  Desks d;
  REQUIRE(d.ours.take("h", kApart));
  d.ours.give("h");
  CHECK(d.s.places("h") == 0);
  CHECK_FALSE(d.ours.take("h", kApart));
  d.s.clock.pass(999ms);
  CHECK_FALSE(d.ours.take("h", kApart));
  d.s.clock.pass(1ms);
  CHECK(d.ours.take("h", kApart));
}

}  // namespace haul::testing

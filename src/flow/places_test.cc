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
  REQUIRE(d.ours.take(1, "h", kTogether));
  REQUIRE(d.ours.take(2, "h", kTogether));
  REQUIRE_FALSE(d.ours.take(3, "h", kTogether));

  d.ours.give(1);
  CHECK(d.s.places("h") == 2);  // Still ours.
  CHECK(d.ours.take(3, "h", kTogether));
  d.ours.give(3);
  d.s.clock.pass(99ms);
  d.ours.give_back_spare();
  CHECK(d.s.places("h") == 2);
  d.s.clock.pass(1ms);
  d.ours.give_back_spare();
  CHECK(d.s.places("h") == 1);
}

TEST_CASE("who has all the places a rule gives asks for no more, a wider rule still may") {
  constexpr HostRule kOne{.at_once = 1, .apart = 0ms};
  Desks d;
  REQUIRE(d.ours.take(1, "h", kOne));
  CHECK_FALSE(d.ours.take(2, "h", kOne));
  CHECK(d.ours.take(2, "h", kTogether));
  CHECK_FALSE(d.ours.take(3, "h", kTogether));
  d.ours.give(1);
  d.ours.give(2);
  d.s.clock.pass(100ms);
  d.ours.give_back_spare();
  CHECK(d.s.places("h") == 0);
  CHECK(d.ours.take(3, "h", kOne));  // What went back is no longer counted as ours.
}

TEST_CASE("all places that are spare go back together, the others stay") {
  Desks d;
  constexpr HostRule kThree{.at_once = 3, .apart = 0ms};
  for (const int start : {1, 2, 3}) REQUIRE(d.ours.take(start, "h", kThree));
  d.ours.give(1);
  d.ours.give(2);
  d.s.clock.pass(100ms);
  d.ours.give_back_spare();
  CHECK(d.s.places("h") == 1);
  CHECK(d.theirs.take(4, "h", kThree));
  CHECK(d.theirs.take(5, "h", kThree));
  CHECK_FALSE(d.theirs.take(6, "h", kThree));
}

TEST_CASE("a place passes on for less than a second, then others get their turn") {
  Desks d;
  REQUIRE(d.ours.take(1, "h", kTogether));
  REQUIRE(d.ours.take(2, "h", kTogether));
  REQUIRE_FALSE(d.theirs.take(3, "h", kTogether));

  d.s.clock.pass(999ms);
  d.ours.give(1);
  CHECK(d.ours.take(4, "h", kTogether));
  d.s.clock.pass(1ms);
  d.ours.give(4);
  CHECK(d.theirs.take(5, "h", kTogether));
}

TEST_CASE("S2-23: where starts must be apart every one of them asks the store") {
  Desks d;
  REQUIRE(d.ours.take(1, "h", kApart));
  d.ours.give(1);
  CHECK(d.s.places("h") == 0);
  CHECK_FALSE(d.ours.take(2, "h", kApart));
  d.s.clock.pass(999ms);
  CHECK_FALSE(d.ours.take(2, "h", kApart));
  d.s.clock.pass(1ms);
  CHECK(d.ours.take(2, "h", kApart));
}

TEST_CASE("Z-11: a redirect gives its place back before it waits for another") {
  Desks d;
  REQUIRE(d.ours.take(1, "a", kTogether));
  REQUIRE(d.theirs.take(2, "b", kTogether));
  REQUIRE(d.theirs.take(3, "b", kTogether));

  CHECK_FALSE(d.ours.pass(1, "b"));
  d.s.clock.pass(100ms);
  d.ours.give_back_spare();
  CHECK(d.s.places("a") == 0);
  d.theirs.give(2);
  d.s.clock.pass(100ms);
  d.theirs.give_back_spare();
  d.s.clock.pass(250ms);
  CHECK(d.ours.pass(1, "b"));
  CHECK(d.s.places("b") == 2);
}

TEST_CASE("Z-11: the next request of a start to the same host is as far apart as any other") {
  Desks d;
  REQUIRE(d.ours.take(1, "h", kApart));
  d.s.clock.pass(999ms);
  CHECK_FALSE(d.ours.pass(1, "h"));
  d.s.clock.pass(1ms);
  CHECK(d.ours.pass(1, "h"));
  CHECK(d.s.places("h") == 1);
}

TEST_CASE("Z-11: segments take further places while there are any, and all go back at the end") {
  Desks d;
  REQUIRE(d.ours.take(1, "h", kTogether));
  CHECK(d.ours.more(1));
  CHECK_FALSE(d.ours.more(1));
  d.ours.less(1);
  d.ours.less(1);  // The first place is not a further one.
  d.s.clock.pass(100ms);
  d.ours.give_back_spare();
  CHECK(d.s.places("h") == 1);
  CHECK(d.ours.more(1));
  d.ours.give(1);
  d.s.clock.pass(100ms);
  d.ours.give_back_spare();
  CHECK(d.s.places("h") == 0);
  CHECK_FALSE(d.ours.more(1));
  CHECK_FALSE(d.ours.pass(1, "h"));
}

TEST_CASE("each connection of a program has a place, at any host, which it holds until it leaves") {
  Desks d;
  d.ours.expect(1, kTogether);
  const auto one = d.ours.enter(1, "h");
  const auto two = d.ours.enter(1, "h");
  REQUIRE(one);
  REQUIRE(two);
  CHECK(!d.ours.enter(1, "h"));
  CHECK(d.ours.enter(1, "other"));
  CHECK(!d.ours.enter(2, "third"));  // Nobody expects that one.

  d.ours.give(1);  // Its item is here; what still runs for others is not over.
  CHECK(!d.ours.enter(1, "h"));
  CHECK(!d.theirs.take(9, "h", kTogether));
  d.ours.leave(*one);
  d.ours.leave(*one);  // Told twice.
  d.s.clock.pass(1'000ms);
  d.ours.give_back_spare();
  CHECK(d.theirs.take(9, "h", kTogether));
  CHECK(!d.theirs.take(10, "h", kTogether));
}

TEST_CASE("connections of a program are as far apart as any requests") {
  Desks d;
  d.ours.expect(1, kApart);
  const auto first = d.ours.enter(1, "h");
  REQUIRE(first);
  d.ours.leave(*first);

  d.s.clock.pass(999ms);
  CHECK(!d.ours.enter(1, "h"));
  d.s.clock.pass(1ms);
  CHECK(d.ours.enter(1, "h"));
}

TEST_CASE("F25: a store that fails on the thread of a transfer is no place, and ends nothing") {
  std::optional<StoreFault::Kind> fails;
  Stage s{{}, [&](CommitPhase phase) {
            if (fails && phase == CommitPhase::before) throw StoreFault{*fails, "as scripted"};
          }};
  Places places{s.store().limits(), s.clock, s.worker().id()};
  REQUIRE(places.take(1, "h", kApart));
  s.clock.pass(2s);
  fails = StoreFault::Kind::full;

  CHECK_FALSE(places.more(1));
  CHECK_FALSE(places.enter(1, "h"));
  CHECK_FALSE(places.pass(1, "h"));  // The place it had cannot be given back now,
  places.block("g", 30'000);
  places.give(1);
  fails.reset();
  s.clock.pass(1s);
  CHECK(s.places("h") == 1);
  places.give_back_spare();  // but later.
  CHECK(s.places("h") == 0);

  places.expect(2, kTogether);
  CHECK_FALSE(places.pass(2, "g"));  // It asked to be left alone.
  s.clock.pass(29s);
  CHECK(places.pass(2, "g"));
}

TEST_CASE("F22: a store that is gone is told to the worker, by whatever thread it was met") {
  std::optional<StoreFault::Kind> fails;
  Stage s{{}, [&](CommitPhase phase) {
            if (fails && phase == CommitPhase::before) throw StoreFault{*fails, "as scripted"};
          }};
  Places places{s.store().limits(), s.clock, s.worker().id()};
  places.expect(1, kApart);
  fails = StoreFault::Kind::gone;

  CHECK_FALSE(places.pass(1, "h"));
  CHECK_THROWS_AS(places.give_back_spare(), StoreFault);
}

}  // namespace haul::testing

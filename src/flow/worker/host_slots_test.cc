#include "flow/worker/host_slots.h"

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr HostRule kApart{.at_once = 2, .apart = 1'000ms};
constexpr HostRule kTogether{.at_once = 2, .apart = 0ms};

struct Desks {
  HostRule rule = kTogether;
  Stage s{};
  WorkerId other = s.store().workers().enlist("other", s.clock.now());
  flow::HostSlots ours{s.store().limits(), s.clock, s.worker().id(), rule};
  flow::HostSlots theirs{s.store().limits(), s.clock, other, rule};
};

constexpr flow::OwnLimits kNone{};

}  // namespace

TEST_CASE("a slot that may follow at once passes on without the store, and goes back if unused") {
  Desks d;
  REQUIRE(d.ours.take(1, "h", kNone));
  REQUIRE(d.ours.take(2, "h", kNone));
  REQUIRE_FALSE(d.ours.take(3, "h", kNone));

  d.ours.give(1);
  CHECK(d.s.host_slots("h") == 2);  // Kept in memory.
  CHECK(d.ours.take(3, "h", kNone));
  d.ours.give(3);
  d.s.clock.pass(99ms);
  d.ours.give_back_spare();
  CHECK(d.s.host_slots("h") == 2);
  d.s.clock.pass(1ms);
  d.ours.give_back_spare();
  CHECK(d.s.host_slots("h") == 1);
}

TEST_CASE("S3-20: requests under one name keep their distance, whichever worker sends them") {
  Desks d;
  CHECK((d.ours.pace("telegram:42", 1'000ms) == 0ms));
  CHECK(d.s.host_slots("telegram:42") == 0);  // It holds no slot.
  CHECK((d.theirs.pace("telegram:42", 1'000ms) == 1'000ms));
  CHECK((d.theirs.pace("telegram:43", 1'000ms) == 0ms));

  d.s.clock.pass(999ms);
  CHECK((d.theirs.pace("telegram:42", 1'000ms) == 1ms));
  d.s.clock.pass(1ms);
  CHECK((d.theirs.pace("telegram:42", 1'000ms) == 0ms));
  CHECK((d.ours.pace("telegram:42", 1'000ms) == 1'000ms));
}

TEST_CASE("Z-12: a flood wait holds back the requests of every worker under that name") {
  Desks d;
  d.ours.block("telegram:42", 20'000);

  CHECK((d.theirs.pace("telegram:42", 1'000ms) == 20'000ms));
  CHECK((d.theirs.pace("telegram:43", 1'000ms) == 0ms));
  d.s.clock.pass(20'000ms);
  CHECK((d.theirs.pace("telegram:42", 1'000ms) == 0ms));
}

TEST_CASE("Z-11: a job's own per_host counts its own requests alone") {
  constexpr flow::OwnLimits kOne{.job = JobId{7}, .at_once = 1};
  Desks d{{.at_once = 3, .apart = 0ms}};
  REQUIRE(d.ours.take(1, "h", kNone));  // Another job's slot does not count.
  REQUIRE(d.ours.take(2, "h", kOne));
  CHECK_FALSE(d.ours.take(3, "h", kOne));
  CHECK_FALSE(d.ours.more(2));
  CHECK(d.ours.take(4, "other", kOne));
  CHECK(d.ours.take(5, "h", {.job = JobId{8}, .at_once = 1}));

  d.ours.give(2);
  CHECK(d.ours.take(6, "h", kOne));
}

TEST_CASE("Z-11: a job's own delay of 1 h keeps no other job from the host") {
  constexpr flow::OwnLimits kSlow{.job = JobId{7}, .apart = 1h};
  Desks d{kApart};
  REQUIRE(d.ours.take(1, "h", kSlow));
  d.ours.give(1);
  d.s.clock.pass(1s);
  REQUIRE_FALSE(d.ours.take(2, "h", kSlow));
  CHECK(d.ours.take(3, "h", kNone));
  d.ours.give(3);

  d.s.clock.pass(1h - 1s - 1ms);
  d.ours.give_back_spare();
  CHECK_FALSE(d.ours.take(2, "h", kSlow));
  d.s.clock.pass(1ms);
  CHECK(d.ours.take(2, "h", kSlow));
}

TEST_CASE("Z-11: a job's own limits cannot loosen the configured ones") {
  constexpr flow::OwnLimits kWide{.job = JobId{7}, .at_once = 9, .apart = 1ms};
  Desks d{kApart};
  REQUIRE(d.ours.take(1, "h", kWide));
  d.s.clock.pass(999ms);
  CHECK_FALSE(d.ours.take(2, "h", kWide));
  d.s.clock.pass(1ms);
  CHECK(d.ours.take(2, "h", kWide));
  d.s.clock.pass(1s);
  CHECK_FALSE(d.ours.take(3, "h", kWide));
}

TEST_CASE("what a job uses at a host by its own limits counts its program's connections too") {
  Desks d;
  d.ours.expect(1, {.job = JobId{7}, .at_once = 1});
  const auto door = d.ours.enter(1, "h");
  REQUIRE(door);
  CHECK(!d.ours.enter(1, "h"));
  d.ours.leave(*door);
  CHECK(d.ours.enter(1, "h"));
}

TEST_CASE("all slots that are spare go back together, the others stay") {
  Desks d{{.at_once = 3, .apart = 0ms}};
  for (const int start : {1, 2, 3}) REQUIRE(d.ours.take(start, "h", kNone));
  d.ours.give(1);
  d.ours.give(2);
  d.s.clock.pass(100ms);
  d.ours.give_back_spare();
  CHECK(d.s.host_slots("h") == 1);
  CHECK(d.theirs.take(4, "h", kNone));
  CHECK(d.theirs.take(5, "h", kNone));
  CHECK_FALSE(d.theirs.take(6, "h", kNone));
}

TEST_CASE("a start that sends no more requests gives its slots back before its end, and once") {
  Desks d;
  REQUIRE(d.ours.take(1, "h", kNone));
  REQUIRE(d.ours.more(1));
  for (const int start : {2, 3, 4}) d.ours.expect(start, kNone);
  REQUIRE_FALSE(d.ours.pass(2, "h"));

  CHECK(d.ours.done(1) == 2);
  CHECK(d.ours.done(1) == 0);
  CHECK(d.ours.done(9) == 0);
  CHECK(d.ours.pass(2, "h"));
  d.ours.give(1);
  CHECK(d.ours.pass(3, "h"));
  CHECK_FALSE(d.ours.pass(4, "h"));
}

TEST_CASE("a slot passes on for less than a second, then others get their turn") {
  Desks d;
  REQUIRE(d.ours.take(1, "h", kNone));
  REQUIRE(d.ours.take(2, "h", kNone));
  REQUIRE_FALSE(d.theirs.take(3, "h", kNone));

  d.s.clock.pass(999ms);
  d.ours.give(1);
  CHECK(d.ours.take(4, "h", kNone));
  d.s.clock.pass(1ms);
  d.ours.give(4);
  CHECK(d.theirs.take(5, "h", kNone));
}

TEST_CASE("S2-23: where starts must be apart every one of them asks the store") {
  Desks d{kApart};
  REQUIRE(d.ours.take(1, "h", kNone));
  d.ours.give(1);
  CHECK(d.s.host_slots("h") == 0);
  CHECK_FALSE(d.ours.take(2, "h", kNone));
  d.s.clock.pass(999ms);
  CHECK_FALSE(d.ours.take(2, "h", kNone));
  d.s.clock.pass(1ms);
  CHECK(d.ours.take(2, "h", kNone));
}

TEST_CASE("Z-11: a redirect gives its slot back before it waits for another") {
  Desks d;
  REQUIRE(d.ours.take(1, "a", kNone));
  REQUIRE(d.theirs.take(2, "b", kNone));
  REQUIRE(d.theirs.take(3, "b", kNone));

  CHECK_FALSE(d.ours.pass(1, "b"));
  d.s.clock.pass(100ms);
  d.ours.give_back_spare();
  CHECK(d.s.host_slots("a") == 0);
  d.theirs.give(2);
  d.s.clock.pass(100ms);
  d.theirs.give_back_spare();
  d.s.clock.pass(250ms);
  CHECK(d.ours.pass(1, "b"));
  CHECK(d.s.host_slots("b") == 2);
}

TEST_CASE("Z-11: the next request of a start to the same host is as far apart as any other") {
  Desks d{kApart};
  REQUIRE(d.ours.take(1, "h", kNone));
  d.s.clock.pass(999ms);
  CHECK_FALSE(d.ours.pass(1, "h"));
  d.s.clock.pass(1ms);
  CHECK(d.ours.pass(1, "h"));
  CHECK(d.s.host_slots("h") == 1);
}

TEST_CASE("Z-11: segments take further slots while there are any, and all go back at the end") {
  Desks d;
  REQUIRE(d.ours.take(1, "h", kNone));
  CHECK(d.ours.more(1));
  CHECK_FALSE(d.ours.more(1));
  d.ours.less(1);
  d.ours.less(1);  // less() never gives back the first slot.
  d.s.clock.pass(100ms);
  d.ours.give_back_spare();
  CHECK(d.s.host_slots("h") == 1);
  CHECK(d.ours.more(1));
  d.ours.give(1);
  d.s.clock.pass(100ms);
  d.ours.give_back_spare();
  CHECK(d.s.host_slots("h") == 0);
  CHECK_FALSE(d.ours.more(1));
  CHECK_FALSE(d.ours.pass(1, "h"));
}

TEST_CASE("each connection of a program has a slot, at any host, which it holds until it leaves") {
  Desks d;
  d.ours.expect(1, kNone);
  const auto one = d.ours.enter(1, "h");
  const auto two = d.ours.enter(1, "h");
  REQUIRE(one);
  REQUIRE(two);
  CHECK(!d.ours.enter(1, "h"));
  CHECK(d.ours.enter(1, "other"));
  CHECK(!d.ours.enter(2, "third"));  // There is no start 2.

  d.ours.give(1);  // The start ends; its open connections keep their slots.
  CHECK(!d.ours.enter(1, "h"));
  CHECK(!d.theirs.take(9, "h", kNone));
  d.ours.leave(*one);
  d.ours.leave(*one);  // The second call does nothing.
  d.s.clock.pass(1'000ms);
  d.ours.give_back_spare();
  CHECK(d.theirs.take(9, "h", kNone));
  CHECK(!d.theirs.take(10, "h", kNone));
}

TEST_CASE("connections of a program are as far apart as any requests") {
  Desks d{kApart};
  d.ours.expect(1, kNone);
  const auto first = d.ours.enter(1, "h");
  REQUIRE(first);
  d.ours.leave(*first);

  d.s.clock.pass(999ms);
  CHECK(!d.ours.enter(1, "h"));
  d.s.clock.pass(1ms);
  CHECK(d.ours.enter(1, "h"));
}

TEST_CASE("F25: a store that fails on the thread of a transfer is no slot, and ends nothing") {
  for (const auto kind : {StoreFault::Kind::full, StoreFault::Kind::busy}) {
    CAPTURE(kind);
    std::optional<StoreFault::Kind> fails;
    Stage s{{}, [&](CommitPhase phase) {
              if (fails && phase == CommitPhase::before) throw StoreFault{*fails, "as scripted"};
            }};
    flow::HostSlots slots{s.store().limits(), s.clock, s.worker().id(), kApart};
    REQUIRE(slots.take(1, "h", kNone));
    s.clock.pass(2s);
    fails = kind;

    CHECK_FALSE(slots.more(1));
    CHECK_FALSE(slots.enter(1, "h"));
    CHECK_FALSE(slots.pass(1, "h"));  // The store cannot take its slot back now.
    slots.block("g", 30'000);
    slots.give(1);
    fails.reset();
    s.clock.pass(1s);
    CHECK(s.host_slots("h") == 1);
    slots.give_back_spare();  // It takes the slot back now.
    CHECK(s.host_slots("h") == 0);

    slots.expect(2, kNone);
    CHECK_FALSE(slots.pass(2, "g"));  // The host is blocked.
    s.clock.pass(29s);
    CHECK(slots.pass(2, "g"));
  }
}

TEST_CASE("F22: a store that is gone is told to the worker, by whatever thread it was met") {
  std::optional<StoreFault::Kind> fails;
  Stage s{{}, [&](CommitPhase phase) {
            if (fails && phase == CommitPhase::before) throw StoreFault{*fails, "as scripted"};
          }};
  flow::HostSlots slots{s.store().limits(), s.clock, s.worker().id(), kApart};
  slots.expect(1, kNone);
  fails = StoreFault::Kind::gone;

  CHECK_FALSE(slots.pass(1, "h"));
  CHECK_THROWS_AS(slots.give_back_spare(), StoreFault);
}

TEST_CASE("new starts and requests of starts that wait take turns at a host") {
  Desks d{kApart};
  d.ours.expect(1, kNone);
  REQUIRE(d.ours.take(2, "h", kNone));
  d.ours.give(2);
  REQUIRE(!d.ours.enter(1, "h"));
  for (int i = 0; i < 10; ++i) {
    d.s.clock.pass(100ms);
    if (i < 9) REQUIRE(!d.ours.enter(1, "h"));
  }

  CHECK_FALSE(d.ours.take(3, "h", kNone));  // A new start had the last turn.
  const auto door = d.ours.enter(1, "h");
  REQUIRE(door);
  d.ours.leave(*door);
  d.s.clock.pass(1s);
  CHECK(d.ours.take(3, "h", kNone));
}

TEST_CASE("a start that no longer asks for its slot keeps no other start waiting") {
  Desks d{kApart};
  d.ours.expect(1, kNone);
  REQUIRE(d.ours.take(2, "h", kNone));
  d.ours.give(2);
  REQUIRE(!d.ours.enter(1, "h"));

  d.s.clock.pass(1s);
  CHECK(d.ours.take(3, "h", kNone));
}

}  // namespace haul::testing

// One worker of many has a duty, and another takes it once the first is silent for too long.

#include "flow/worker/own_duties.h"

#include <doctest/doctest.h>

#include "support/flow/script.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

}  // namespace

TEST_CASE("of two workers one has a duty, until it gives it back") {
  Bench b;
  HandClock clock;
  const WorkerId first = b.store().workers().enlist("first", clock.now());
  const WorkerId second = b.store().workers().enlist("second", clock.now());
  flow::OwnDuties one{b.store(), clock, 2s};
  flow::OwnDuties two{b.store(), clock, 2s};

  CHECK(one.take("check", first));
  CHECK_FALSE(two.take("check", second));
  CHECK(two.take("other", second));
  CHECK(one.held("check").has_value());
  CHECK_FALSE(one.held("other").has_value());

  one.give_all(first);
  CHECK_FALSE(one.held("check").has_value());
  clock.pass(1'999ms);
  CHECK_FALSE(two.take("check", second));  // It does not ask the store before 2 s have passed.
  clock.pass(1ms);
  CHECK(two.take("check", second));
}

TEST_CASE("the duties of a silent worker go to another, unless it has beaten since") {
  Bench b;
  HandClock clock;
  const WorkerId first = b.store().workers().enlist("first", clock.now());
  const WorkerId second = b.store().workers().enlist("second", clock.now());
  flow::OwnDuties one{b.store(), clock, 0s};
  flow::OwnDuties two{b.store(), clock, 0s};
  REQUIRE(one.take("check", first));
  const std::int64_t beat = b.store().workers().find(first)->beat;

  b.store().workers().beat(first, clock.now());
  two.see_silent({first, beat});
  CHECK_FALSE(two.take("check", second));

  two.see_silent({first, b.store().workers().find(first)->beat});
  CHECK(two.take("check", second));
  CHECK_FALSE(one.take("check", first));
  CHECK_FALSE(one.held("check").has_value());
}

TEST_CASE("a worker that has not asked again has a duty in name only: the store knows its fence") {
  Bench b;
  HandClock clock;
  const WorkerId first = b.store().workers().enlist("first", clock.now());
  const WorkerId second = b.store().workers().enlist("second", clock.now());
  flow::OwnDuties one{b.store(), clock, 2s};
  flow::OwnDuties two{b.store(), clock, 2s};
  REQUIRE(one.take("check", first));
  const Duty held = one.held("check").value();
  CHECK(held == Duty{.name = "check", .holder = first, .fence = 1});
  CHECK(b.store().duties().holds(held));
  CHECK(one.still_holds("check"));
  CHECK_FALSE(one.still_holds("other"));  // It never asked for it.

  two.see_silent({first, b.store().workers().find(first)->beat});
  REQUIRE(two.take("check", second));

  CHECK(one.held("check") == held);
  CHECK_FALSE(b.store().duties().holds(held));
  CHECK(one.take("check", first));  // From memory.
  CHECK_FALSE(one.still_holds("check"));
  two.give_all(second);
  clock.pass(2s);
  REQUIRE(one.take("check", first));
  CHECK(one.held("check")->fence == 3);
  CHECK(one.still_holds("check"));
  CHECK_FALSE(b.store().duties().holds(held));
}

TEST_CASE("a duty counts as held for a lease of 8 s after its worker last asked, and no longer") {
  Bench b;
  HandClock clock;
  const WorkerId first = b.store().workers().enlist("first", clock.now());
  flow::OwnDuties one{b.store(), clock, 2s};
  REQUIRE(one.take("check", first));

  clock.pass(7'999ms);
  CHECK(one.held("check").has_value());
  clock.pass(1ms);
  CHECK_FALSE(one.held("check").has_value());
  REQUIRE(one.take("check", first));
  CHECK(one.held("check").has_value());
}

TEST_CASE("the duties of a silent worker that was heard again stay where they are") {
  Bench b;
  HandClock clock;
  const WorkerId first = b.store().workers().enlist("first", clock.now());
  const WorkerId second = b.store().workers().enlist("second", clock.now());
  flow::OwnDuties one{b.store(), clock, 0s};
  flow::OwnDuties two{b.store(), clock, 0s};
  REQUIRE(one.take("check", first));
  const SilentWorker silent{first, b.store().workers().find(first)->beat};

  two.see_silent(silent);
  two.hear(first);
  CHECK_FALSE(two.take("check", second));

  two.see_silent(silent);
  CHECK(two.take("check", second));
}

TEST_CASE("a silent worker that holds nothing is forgotten: its next duty has a whole lease") {
  Stage s;
  const WorkerId other = s.store().workers().enlist("other", s.clock.now());
  const auto holder = [&] {
    for (const Duty& duty : s.store().duties().list())
      if (duty.name == "check") return duty.holder;
    return WorkerId{};
  };
  REQUIRE(s.store().duties().take("check", other, std::nullopt).holder == other);
  s.live(12s);  // The worker sees that the other one is silent.
  s.store().duties().give_all(other);
  s.live(2s);

  REQUIRE(s.store().duties().take("check", other, std::nullopt).holder == other);
  s.worker().duties().want("check");
  s.live(7s);
  CHECK(holder() == other);
  s.live(5s);
  CHECK(holder() == s.worker().id());
}

TEST_CASE(
    "S0-18: a worker that lost the duty to ask the client shows no transfers of it any more") {
  Stage s;
  s.add(kBook);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", Moving{.have = 1});
  REQUIRE(s.worker().at_client().size() == 1);
  flow::Worker& slept = s.worker();
  flow::Worker& other = s.hire();

  for (int second = 0; second < 12; ++second) {  // Only the other one is awake.
    s.clock.pass(1s);
    other.tick();
  }
  CHECK(slept.at_client().size() == 1);
  slept.tick();

  CHECK(slept.at_client().empty());
}

TEST_CASE("S0-18: a worker that has lost the duty hands no job to the client, even within 2 s") {
  Stage s;
  s.add(kBook);
  s.tick();
  REQUIRE(s.count("client.start") == 1);
  const WorkerId other = s.store().workers().enlist("other", s.clock.now());
  s.store().duties().give("client_book", s.worker().id());
  REQUIRE(s.store().duties().take("client_book", other, std::nullopt).holder == other);
  const JobId late = s.add(kBook);

  s.tick();
  CHECK(s.count("client.start") == 1);
  CHECK(s.intents(late).empty());

  s.store().duties().give("client_book", other);
  s.live(4s);
  CHECK(s.count("client.start") == 2);
}

TEST_CASE("S0-18: of two workers one asks the client, and the other goes on when it dies") {
  Stage s;
  const JobId id = s.add(kBook);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.hire();
  CHECK(s.count("client.look") == 1);
  s.live(15s);
  CHECK(s.count("client.look") == 2);  // Not three.

  s.crash();
  s.live(20s);
  CHECK(s.count("client.look") > 2);
  CHECK(s.job(id).handle == "hash");
}

}  // namespace haul::testing

#include "flow/worker/retain.h"

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr int kMany = 10'000;
constexpr Millis kStep{50};

struct Old {
  HandClock clock;
  Bench b;
  flow::Retention retention{b.store(), clock};
  bool has_duty = true;

  // An ended job with this many notes; its moves add two events.
  JobId ended(int notes) {
    const JobId id = b.add(kBook);
    for (int i = 0; i < notes; ++i) b.store().events().note(id, "LOG", "", clock.now());
    REQUIRE(b.ask(id, On::fail).has_value());
    b.add(kBook);  // The newest event always stays.
    return id;
  }
  // As if haul had always run, with a clock that was never set.
  flow::Retention::Before before() {
    return [this](Millis age) { return std::optional{clock.now() - age}; };
  }
  void run() {
    retention.run(before(), [this] { return has_duty; });
  }
  // Each in its own tick.
  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      run();
      clock.pass(kStep);
    }
  }
  std::int64_t oldest_event() { return b.store().events().after({}, 1).front().id.value; }
};

}  // namespace

TEST_CASE("SX-7: ten thousand old events go within a second, in steps of a bounded size") {
  Old old;
  old.ended(kMany - 2);
  old.clock.pass(24h * 91);

  old.steps(1);
  CHECK(old.oldest_event() == 1'001);
  old.steps(1);
  CHECK(old.oldest_event() == 3'001);
  old.run();
  old.run();  // No time has passed: no second step.
  CHECK(old.oldest_event() == 5'001);

  old.steps(17);
  CHECK(old.oldest_event() > kMany);
}

TEST_CASE("a worker that has lost the duty removes nothing, and goes on if it gets it back") {
  Old old;
  old.ended(kMany - 2);
  old.clock.pass(24h * 91);
  old.steps(1);
  REQUIRE(old.oldest_event() == 1'001);

  old.has_duty = false;
  old.steps(3);
  CHECK(old.oldest_event() == 1'001);

  old.has_duty = true;
  old.steps(1);
  CHECK(old.oldest_event() == 3'001);
}

TEST_CASE("SX-7: events that must stay are passed over, and do not keep others from going") {
  Old old;
  const JobId open = old.b.add(kBook);
  for (int i = 0; i < 5'000; ++i) old.b.store().events().note(open, "LOG", "", old.clock.now());
  const JobId ended = old.ended(10);
  old.clock.pass(24h * 91);

  old.steps(10);

  CHECK(old.b.store().events().of(ended, {}, 10).empty());
  CHECK(old.b.store().events().of(open, {}, 10).size() == 10);
}

TEST_CASE("a round also forgets old keys and hosts, each at its age, and comes every hour") {
  const std::string one(64, 'a');
  const std::string other(64, 'b');
  for (const bool is_old : {false, true}) {
    Old old;
    Store& store = old.b.store();
    const Time now = old.clock.now();
    REQUIRE(store.limits().take("h", {}, old.b.worker(), now));
    store.limits().give("h", old.b.worker());
    REQUIRE(store.jobs().take_key(kAdmin, "k", one, now + 24h * 89));
    old.steps(1);

    old.clock.pass(is_old ? 24h + 1ms - kStep : 24h - kStep);
    old.steps(1);
    CHECK((store.limits().use("h") == HostUse{}) == is_old);

    old.clock.pass(24h * 177);
    old.steps(1);
    old.clock.pass(is_old ? 24h : 0h);
    old.steps(1);
    CHECK(store.jobs().take_key(kAdmin, "k", other, old.clock.now()) == is_old);
  }
}

TEST_CASE("a session that ended a day ago is forgotten, not before") {
  for (const bool is_old : {false, true}) {
    Old old;
    Sessions& sessions = old.b.store().access().sessions();
    const Time now = old.clock.now();
    REQUIRE(sessions.open({std::string(64, 'a'), kAdmin, now, now + 1h}));
    old.clock.pass(is_old ? 25h : 25h - 1ms);
    old.steps(1);
    CHECK(sessions.prune(old.clock.now(), 10) == (is_old ? 0 : 1));  // What the round has left.
  }
}

TEST_CASE("a worker that was silent for 30 days and holds nothing is forgotten, not before") {
  for (const bool is_old : {false, true}) {
    Old old;
    const WorkerId silent = old.b.store().workers().enlist("silent", old.clock.now());
    old.b.store().workers().enlist("newest", old.clock.now());
    old.clock.pass(is_old ? 24h * 30 + 1ms : 24h * 30);
    old.steps(1);
    CHECK(old.b.store().workers().find(silent).has_value() != is_old);
  }
}

}  // namespace haul::testing

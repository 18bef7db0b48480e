// An outage of the store (F25, promise 12): the worker keeps running and loses nothing.

#include "flow/worker/outage.h"

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

const Sent kAck{.ack = R"({"message_id":7})"};

// A stage whose store refuses every write while `kind` is set.
struct Sick {
  std::optional<StoreFault::Kind> kind;
  std::function<bool()> on_write;  // If true, this write finds the disk full.
  Stage s{{}, [this](CommitPhase phase) {
            if (phase != CommitPhase::before) return;
            if (kind) throw StoreFault{*kind, "as scripted"};
            if (on_write && on_write()) throw StoreFault{StoreFault::Kind::full, "as scripted"};
          }};

  // The worker meets the fault at its next heartbeat, at the latest.
  void fall_ill(StoreFault::Kind how = StoreFault::Kind::full) {
    kind = how;
    s.after(2s);
  }
  // Makes the next probe due.
  void get_well() {
    kind.reset();
    s.after(5s);
  }
  JobId running_batch() {
    const JobId id = s.add(kBatch);
    s.tick();
    s.reply("http.plan", Planned{.items = {{.key = "0", .url = "https://h/0"}}});
    return id;
  }
  // Like a process that starts after the previous one was killed.
  void restart() {
    s.crash();
    s.hire().take_over();
  }
};

int attempts(Stage& s, JobId id) { return s.job(id).version.attempt; }

Sight moving(std::int64_t item, Moving what) {
  return {.job = JobId{1}, .item = item, .fence = 1, .start = item, .what = std::move(what)};
}

}  // namespace

TEST_CASE("F25: while the store is full or busy the worker stays, and takes no work") {
  for (const auto& [kind, code] : {std::pair{StoreFault::Kind::full, "disk_full"},
                                   std::pair{StoreFault::Kind::busy, "store_busy"}}) {
    Sick sick;
    Stage& s = sick.s;
    const JobId running = sick.running_batch();
    const JobId waiting = s.add(kRelay);

    sick.fall_ill(kind);

    REQUIRE(s.worker().outage());
    CHECK(s.worker().outage()->code == code);
    s.live(10min);
    CHECK(s.state(waiting) == "QUEUED");
    CHECK_FALSE(s.worker().spare().lend(kRelay, 1));
    CHECK(s.worker().held() == 1);

    sick.get_well();
    CHECK_FALSE(s.worker().outage());
    CHECK(s.state(waiting) != "QUEUED");
    s.reply("http.start", whole("/in/0"));
    s.tick();
    CHECK(s.state(running) == "COMPLETED");
    CHECK(attempts(s, running) == 0);
  }
}

TEST_CASE("F25: the store is probed every five seconds, not before") {
  Sick sick;
  sick.fall_ill();
  sick.kind.reset();

  sick.s.after(4'999ms);
  CHECK(sick.s.worker().outage());
  sick.s.after(1ms);
  CHECK_FALSE(sick.s.worker().outage());
}

TEST_CASE("F22: a fault that does not pass still ends the worker") {
  for (const auto kind : {StoreFault::Kind::gone, StoreFault::Kind::broken}) {
    Sick sick;
    sick.kind = kind;
    CHECK_THROWS_AS(sick.s.after(2s), StoreFault);
  }
  Sick sick;
  sick.fall_ill();
  sick.kind = StoreFault::Kind::gone;
  CHECK_THROWS_AS(sick.s.after(5s), StoreFault);
}

TEST_CASE(
    "F25: what the outside says during an outage counts afterwards, and nothing is sent twice") {
  Sick sick;
  Stage& s = sick.s;
  const JobId id = s.add(kRelay);
  s.tick();
  s.reply("disk.start", Moving{.have = 1});
  REQUIRE(s.count("chat.land") == 1);
  sick.fall_ill();

  s.push(s.last("chat.land"), kAck);
  s.live(20min);
  CHECK(s.state(id) == "STREAMING");
  sick.get_well();
  s.live(10s);

  CHECK(s.state(id) == "DELIVERED");
  CHECK(s.count("chat.land") == 1);
  CHECK(attempts(s, id) == 0);
}

TEST_CASE("F25: a step that the store cuts short is done again, with no attempt burned") {
  Sick sick;
  Stage& s = sick.s;
  const JobId id = s.add(kRelay);
  s.tick();
  const Call start = s.last("disk.start");
  int writes = 0;
  s.push(start, Moving{.have = 1});
  // The store grants the move to STREAMING and fails to write the intent before the send.
  sick.on_write = [&] { return ++writes == 2; };
  s.tick();
  REQUIRE(s.worker().outage());
  REQUIRE(s.count("chat.land") == 0);

  sick.on_write = {};
  s.live(30s);
  if (s.count("chat.land") == 0) s.reply("disk.start", Moving{.have = 1});
  s.reply("chat.land", kAck);
  s.live(10s);
  CHECK(s.state(id) == "DELIVERED");
  CHECK(attempts(s, id) == 0);
}

TEST_CASE("F25: a batch whose item fails for want of room while the store is full goes on later") {
  Sick sick;
  Stage& s = sick.s;
  const JobId id = sick.running_batch();
  s.push(s.last("http.start"), failed(FaultKind::environment, "disk_full"));
  sick.fall_ill();
  REQUIRE(s.worker().outage());

  sick.get_well();
  s.live(2min);
  REQUIRE(s.count("http.start") == 2);
  s.reply("http.start", whole("/in/0"));
  s.tick();
  CHECK(s.state(id) == "COMPLETED");
  CHECK(attempts(s, id) == 0);
}

TEST_CASE("F25: an outage longer than every deadline fails no transfer") {
  Sick sick;
  Stage& s = sick.s;
  const JobId id = sick.running_batch();
  const std::string before = s.items(id);
  sick.fall_ill();

  s.live(20min);
  sick.get_well();
  s.live(10s);

  CHECK(s.items(id) == before);
  CHECK(s.trail(id) == "PENDING > RUNNING");
  CHECK(s.count("http.start") == 1);
}

TEST_CASE(
    "F25: workers that could not beat for longer than a lease rescue no job from each other") {
  Sick sick;
  Stage& s = sick.s;
  s.hire();
  const JobId id = sick.running_batch();
  const std::size_t holder = s.worker(0).held() == 1 ? 0 : 1;
  sick.fall_ill();

  s.live(10min);
  sick.get_well();
  s.live(7s);

  CHECK(s.trail(id) == "PENDING > RUNNING");
  CHECK(s.worker(holder).held() == 1);
  CHECK(attempts(s, id) == 0);
}

TEST_CASE("F25: starts on a full disk, one after the other, cost no attempt") {
  Sick sick;
  Stage& s = sick.s;
  const JobId id = sick.running_batch();
  sick.fall_ill();

  for (int i = 0; i < 5; ++i) {
    sick.restart();
    s.live(1min);
    CHECK(s.worker().outage());
  }
  CHECK(s.job(id).worker);
  sick.get_well();
  s.live(2s);

  CHECK(s.state(id) == "RUNNING");
  CHECK(s.job(id).worker == s.worker().id());
  CHECK(attempts(s, id) == 0);
  CHECK_FALSE(s.store().in_outage());
}

TEST_CASE(
    "S2-27: a start after a kill with the store in order counts the loss, also after an outage") {
  Sick sick;
  Stage& s = sick.s;
  const JobId id = sick.running_batch();
  sick.fall_ill();
  sick.get_well();

  sick.restart();
  s.live(2s);

  CHECK(attempts(s, id) == 1);
}

TEST_CASE("F25: a worker that is stopped during an outage stops, and costs no attempt") {
  Sick sick;
  Stage& s = sick.s;
  const JobId id = sick.running_batch();
  sick.fall_ill();

  CHECK(s.worker().wind_down());
  s.worker().stop();
  sick.kind.reset();
  sick.restart();
  s.live(2s);

  CHECK(s.state(id) == "RUNNING");
  CHECK(attempts(s, id) == 0);
}

TEST_CASE("F25: a worker whose stop finds the store well again gives everything back") {
  Sick sick;
  Stage& s = sick.s;
  const JobId id = sick.running_batch();
  sick.fall_ill();
  sick.kind.reset();

  s.worker().stop();

  CHECK(s.state(id) == "PENDING");
  CHECK_FALSE(s.store().in_outage());
}

TEST_CASE("progress that waits is one report for each start, with what earlier ones knew") {
  std::deque<Sight> waiting;
  for (int i = 1; i <= 1'000; ++i)
    for (const std::int64_t item : {1, 2})
      flow::put_behind(waiting, moving(item, {.have = i, .path = i == 1 ? "/in/a" : ""}));

  REQUIRE(waiting.size() == 2);
  const auto& last = std::get<Moving>(waiting.front().what);
  CHECK(last.have == 1'000);
  CHECK(last.path == "/in/a");
}

TEST_CASE("an end that waits is never replaced, nor is progress put before it") {
  std::deque<Sight> waiting;
  flow::put_behind(waiting, moving(1, {.have = 1}));
  flow::put_behind(waiting,
                   {.job = JobId{1}, .item = 1, .fence = 1, .start = 1, .what = Stopped{}});
  flow::put_behind(waiting, moving(1, {.have = 2}));

  REQUIRE(waiting.size() == 3);
  CHECK(std::holds_alternative<Stopped>(waiting[1].what));
}

}  // namespace haul::testing

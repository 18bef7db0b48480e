// A disk or a chat that refuses haul itself holds all relays (Z-14). A chat that is blocked for a
// while costs the relays that wait for it no attempt (Z-12).

#include <doctest/doctest.h>

#include "flow/user/why.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

JobId downloading(Stage& s) {
  const JobId id = s.add(kRelay);
  s.tick();
  return id;
}

// The chat was asked to take a file of this size.
JobId sending(Stage& s, std::int64_t size) {
  const JobId id = downloading(s);
  s.reply("disk.start", Moving{.have = 1, .size = size, .path = {}, .checkpoint = {}});
  return id;
}

const Failed kUnauthorised = failed(FaultKind::environment, "disk_unauthorised");

// The disk reads the file of the newest relay, and the sink sends nothing: its chat is blocked.
void hold_back(Stage& s, Millis wait) {
  s.reply("disk.start", Moving{.have = 1});
  Failed blocked = failed(FaultKind::retryable, "chat_turn");
  blocked.wait_ms = wait.count();
  s.reply("chat.land", blocked);
}

flow::Why why(Stage& s, JobId id, std::span<const flow::LifecycleWork> work) {
  return *flow::explain(s.store(), id, s.clock.now(), {}, work);
}

}  // namespace

TEST_CASE("Z-14: a disk that refuses haul holds all relays, which lose no attempt") {
  Stage s;
  const JobId first = downloading(s);
  const JobId second = s.add(kRelay, {.paused = true});
  s.reply("disk.start", kUnauthorised);
  CHECK(s.state(first) == "QUEUED");
  CHECK(s.job(first).reason == "disk_unauthorised");
  REQUIRE(flow::resume(s.store(), second, s.clock.now()).done);
  s.live(29'999ms);
  CHECK(s.trail(second) == "QUEUED");  // It is due, and no worker takes it.
  CHECK(s.count("disk.start") == 1);

  s.after(1ms);  // One relay asks again, not both.
  CHECK(s.count("disk.start") == 2);
  s.reply("disk.start", kUnauthorised);
  s.live(29'999ms);
  CHECK(s.count("disk.start") == 2);
  CHECK(s.job(first).version.attempt == 0);
  CHECK(s.job(second).version.attempt == 0);
}

TEST_CASE("Z-14: once the disk answers, all relays go on") {
  Stage s;
  downloading(s);
  s.reply("disk.start", kUnauthorised);
  s.add(kRelay);
  s.add(kRelay);
  s.live(30s);
  CHECK(s.count("disk.start") == 2);
  s.reply("disk.start", Moving{.have = 1});
  s.tick();
  CHECK(s.count("disk.start") == 4);
}

TEST_CASE("Z-14: a chat that refuses haul is asked by one relay at a time, too") {
  Stage s;
  sending(s, 10);
  s.add(kRelay, {.paused = true});
  s.reply("chat.land", failed(FaultKind::environment, "chat_unauthorised"));
  const JobId other = s.add(kRelay);
  s.live(30s);
  s.reply("disk.start", Moving{.have = 1});  // The disk is not the side that refuses.
  s.live(1s);
  CHECK(s.count("disk.start") == 2);
  s.reply("chat.land", Sent{.ack = R"({"message_id":7})"});
  s.tick();
  CHECK(s.count("disk.start") == 3);
  CHECK(s.job(other).version.attempt == 0);
}

TEST_CASE("Z-14: why names what refuses haul, also for relays that never began") {
  Stage s;
  const std::vector<flow::LifecycleWork> work = s.work();
  const JobId id = s.add(kRelay);
  flow::find_work(work, kRelay)
      ->hold->begin({.why = {FaultKind::environment, "disk_unauthorised", "token refused"},
                     .until = s.clock.steady() + 30s,
                     .until_at = s.clock.now() + 30s});
  const flow::Why told = why(s, id, work);
  CHECK(told.code == "disk_unauthorised");
  CHECK(told.because == "a service that it needs refuses haul (disk_unauthorised): token refused");
  CHECK((told.next_at == s.clock.now() + 30s));

  flow::find_work(work, kRelay)->hold->end({});
  CHECK(why(s, id, work).code == "ready");
}

TEST_CASE("Z-12: three blocks of a chat cost five relays that were not sent no attempt") {
  constexpr int kBlocks = 3;
  Stage s;
  std::vector<JobId> jobs;
  for (int i = 0; i < 5; ++i) {
    jobs.push_back(downloading(s));
    hold_back(s, 118s);
    s.live(10s);  // From here on, each relay is due 10 s after the one before.
  }
  for (int block = 1; block <= kBlocks; ++block) {
    for (const JobId id : jobs) {
      CHECK(s.trail(id).ends_with("STREAMING > QUEUED"));
      CHECK(s.job(id).version.attempt == 0);
    }
    CHECK(s.count("disk.stop") == static_cast<std::size_t>(block) * jobs.size());
    CHECK(why(s, jobs.back(), s.work()).code == "chat_turn");
    s.live(68s);
    for (std::size_t i = 0; block < kBlocks && i < jobs.size(); ++i) {
      hold_back(s, 118s);
      s.live(10s);
    }
  }
  for (const JobId id : jobs) {
    s.reply("disk.start", Moving{.have = 1});
    s.reply("chat.land", Sent{.ack = R"({"message_id":7})"});
    CHECK(s.state(id) == "DELIVERED");
    CHECK(s.job(id).version.attempt == 0);
    s.live(10s);
  }
}

}  // namespace haul::testing

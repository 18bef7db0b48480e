// Workers that are killed, or sleep longer than their lease, in each state of a relay (S3-7, S3-9,
// S3-21): every job ends once, and no write of theirs counts.

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

const Sent kAck{.ack = R"({"message_id":7})"};

enum class At : std::uint8_t { claimed, downloading, streaming };
constexpr At kAll[] = {At::claimed, At::downloading, At::streaming};

// A stage whose first worker stops for ever in a store fault after so many more commits.
struct Scene {
  int commits_left = -1;
  Stage s{{}, [this](CommitPhase phase) {
            if (phase == CommitPhase::before && commits_left >= 0 && commits_left-- == 0)
              throw StoreFault{StoreFault::Kind::gone, "killed"};
          }};
  JobId id = s.add(kRelay);

  // Takes the relay to the state. The worker has asked for nothing more.
  void reach(At at) {
    if (at == At::claimed) {
      commits_left = commits_of_claim();
      CHECK_THROWS_AS(s.tick(), StoreFault);
      commits_left = -1;
      CHECK(s.state(id) == "CLAIMED");
      return;
    }
    s.tick();
    if (at == At::streaming) s.reply("disk.start", Moving{.have = 1});
    CHECK(s.state(id) == (at == At::downloading ? "DOWNLOADING" : "STREAMING"));
  }
  // How many commits a worker makes until it has claimed a relay.
  static int commits_of_claim() {
    int commits = 0;
    int until_claim = 0;
    Stage other{{}, [&](CommitPhase phase) { commits += phase == CommitPhase::after ? 1 : 0; }};
    const JobId job = other.add(kRelay);
    commits = 0;
    other.tick();
    const int all = commits;
    for (const Event& event : other.store().events().of(job, {}, 10))
      if (event.to == "CLAIMED") until_claim = all - 1;  // The start is the last one.
    return until_claim;
  }
  // The other worker alone lives on.
  void live_without_first(Millis passed) {
    for (; passed > 0ms; passed -= 1s) {
      s.clock.pass(1s);
      s.worker(1).tick();
    }
  }
  // The other worker delivers.
  void deliver(flow::Worker& by) {
    Stage::push(by, s.last("disk.start"), Moving{.have = 1});
    by.tick();
    Stage::push(by, s.last("chat.land"), kAck);
    by.tick();
  }
  int ends() {
    int count = 0;
    for (const Event& event : s.store().events().of(id, {}, 100))
      count += event.to == "DELIVERED" || event.to == "FAILED" ? 1 : 0;
    return count;
  }
};

}  // namespace

TEST_CASE("S3-7, S3-21: a relay whose worker was killed in any state is delivered by the next") {
  for (const At at : kAll) {
    CAPTURE(static_cast<int>(at));
    Scene scene;
    Stage& s = scene.s;
    scene.reach(at);
    s.crash();
    s.hire();
    s.live(32s);  // Less than a minute, as S3-21 asks.
    CHECK(s.state(scene.id) == "DOWNLOADING");
    CHECK(s.job(scene.id).version.attempt == 1);
    scene.deliver(s.worker());
    CHECK(s.state(scene.id) == "DELIVERED");
    CHECK(scene.ends() == 1);
    const bool was_sent = at == At::streaming;
    CHECK(s.intents(scene.id) ==
          (was_sent ? "chat_send unknown, chat_send done" : "chat_send done"));
  }
}

TEST_CASE("promise 5: a send whose worker is lost in the last attempt is recorded as unknown") {
  Scene scene;
  Stage& s = scene.s;
  scene.reach(At::downloading);
  for (int lost = 1; lost <= 2; ++lost) {
    s.crash();
    s.hire();
    s.live(32s);
  }
  s.reply("disk.start", Moving{.have = 1});
  REQUIRE(s.state(scene.id) == "STREAMING");
  s.crash();
  s.hire();
  s.live(32s);
  CHECK(s.state(scene.id) == "FAILED");
  CHECK(s.intents(scene.id) == "chat_send unknown");
  CHECK(s.event_types(scene.id).ends_with("OUTCOME_UNKNOWN"));
}

TEST_CASE("S3-9, promise 4: a worker that slept longer than its lease changes nothing any more") {
  for (const At at : {At::downloading, At::streaming}) {
    CAPTURE(static_cast<int>(at));
    Scene scene;
    Stage& s = scene.s;
    scene.reach(at);
    const Call late = s.last(at == At::streaming ? "chat.land" : "disk.start");
    s.hire();
    scene.live_without_first(32s);
    REQUIRE(s.state(scene.id) == "DOWNLOADING");

    Stage::push(s.worker(0), late, at == At::streaming ? What{kAck} : What{Moving{.have = 1}});
    s.worker(0).tick();
    CHECK(s.state(scene.id) == "DOWNLOADING");
    CHECK(s.worker(0).held() == 0);
    scene.deliver(s.worker(1));
    CHECK(s.state(scene.id) == "DELIVERED");
    CHECK(scene.ends() == 1);
  }
}

TEST_CASE("S3-9: a worker that slept for less than its lease keeps its relay") {
  Scene scene;
  Stage& s = scene.s;
  scene.reach(At::streaming);
  s.hire();
  s.worker(1).tick();
  scene.live_without_first(29s);
  s.tick();
  Stage::push(s.worker(0), s.last("chat.land"), kAck);
  s.worker(0).tick();
  CHECK(s.state(scene.id) == "DELIVERED");
  CHECK(s.job(scene.id).version.attempt == 0);
}

TEST_CASE("S3-23: a graceful stop gives a relay back, and its attempt stays") {
  Scene scene;
  Stage& s = scene.s;
  scene.reach(At::downloading);
  CHECK_FALSE(s.worker().wind_down());
  Stage::push(s.worker(), s.last("disk.stop"), Stopped{});
  CHECK(s.worker().wind_down());
  s.worker().stop();
  CHECK(s.trail(scene.id) == "QUEUED > CLAIMED > DOWNLOADING > QUEUED");
  CHECK(s.job(scene.id).version.attempt == 0);
  CHECK(s.job(scene.id).reason == "released");
}

TEST_CASE("S3-23: a graceful stop waits for what the chat says about a message on its way") {
  Scene scene;
  Stage& s = scene.s;
  scene.reach(At::streaming);
  CHECK_FALSE(s.worker().wind_down());
  Stage::push(s.worker(), s.last("disk.stop"), Stopped{});
  CHECK_FALSE(s.worker().wind_down());
  Stage::push(s.worker(), s.last("chat.stop"), kAck);
  s.worker().wind_down();
  s.worker().stop();
  CHECK(s.state(scene.id) == "DELIVERED");
  CHECK(scene.ends() == 1);
}

TEST_CASE("promise 5: duplicates are exactly as many as flagged, and none with pause") {
  for (const flow::OnUnknown policy :
       {flow::OnUnknown::resend, flow::OnUnknown::pause, flow::OnUnknown::give_up}) {
    CAPTURE(static_cast<int>(policy));
    Stage s{flow::Settings{}, {}, {.relay = {.on_unknown = policy}}};
    constexpr std::size_t kRelays = 20;
    std::vector<JobId> jobs;
    for (std::size_t i = 0; i < kRelays; ++i) {  // The chat has each message; the reply is lost.
      jobs.push_back(s.add(kRelay));
      s.tick();
      s.reply("disk.start", Moving{.have = 1});
      s.reply("chat.land", unknown_outcome());
      s.live(2s);
      if (policy != flow::OnUnknown::resend) continue;
      s.reply("disk.start", Moving{.have = 1});
      s.reply("chat.land", kAck);
    }
    s.live(2min);
    std::size_t flagged = 0;
    for (const JobId id : jobs)
      flagged += s.intents(id).starts_with("chat_send unknown, chat_send") ? 1U : 0U;
    CHECK(s.count("chat.land") - kRelays == flagged);
    CHECK(flagged == (policy == flow::OnUnknown::resend ? kRelays : 0));
  }
}

}  // namespace haul::testing

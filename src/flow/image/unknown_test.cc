// Paid calls whose answer is lost: never a second payment that nothing records (A4-13, promise 5).

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

flow::HandlerSettings handlers(flow::UnknownCall on_unknown) {
  flow::HandlerSettings handlers;
  handlers.image.on_unknown = on_unknown;
  return handlers;
}

// A call that has no handle, and whose worker ends before the answer.
JobId stopped_call(Stage& s) {
  const JobId id = s.buy(4);
  s.tick();
  CHECK_FALSE(s.worker().wind_down());
  s.worker().stop();
  s.crash();
  s.hire();
  return id;
}

}  // namespace

TEST_CASE("A4-13: a call without a name that a stop cut off is a failure, and then paid again") {
  Stage s;
  const JobId id = stopped_call(s);
  CHECK(s.state(id) == "running");
  s.asked();

  s.tick();
  CHECK(s.asked().empty());
  CHECK(s.trail(id) == "queued > running > failed");
  CHECK(s.job(id).reason == "outcome_unknown");
  CHECK(s.job(id).version.attempt == 1);
  CHECK(s.intents(id) == "paid_call unknown");

  s.live(4s);
  CHECK(s.asked() == "images.start 1");
  CHECK(s.intents(id) == "paid_call unknown, paid_call open");
  CHECK(s.wallet().reserved == 4);
}

TEST_CASE("A4-13: with give_up a call in doubt is a refunded dead letter, and not paid again") {
  Stage s{flow::Settings{}, {}, handlers(flow::UnknownCall::give_up)};
  const JobId id = stopped_call(s);
  s.live(10min, 10s);
  CHECK(s.trail(id) == "queued > running > failed > dead_letter");
  CHECK(s.job(id).reason == "outcome_unknown");
  CHECK(s.count("images.start") == 1);
  CHECK(s.wallet().available == 10);
}

TEST_CASE("A4-13: with give_up a lost worker and a lost reply end as dead letters, too") {
  Stage lost{flow::Settings{}, {}, handlers(flow::UnknownCall::give_up)};
  const JobId first = lost.buy(4);
  lost.tick();
  lost.crash();
  lost.hire();
  lost.live(1min);
  CHECK(lost.state(first) == "dead_letter");
  CHECK(lost.count("images.start") == 1);

  Stage silent{flow::Settings{}, {}, handlers(flow::UnknownCall::give_up)};
  const JobId second = silent.buy(4);
  silent.tick();
  silent.reply("images.start", unknown_outcome());
  CHECK(silent.trail(second) == "queued > running > failed > dead_letter");
  CHECK(silent.job(second).reason == "outcome_unknown");
}

TEST_CASE("A4-13: the event says that a lost reply may have been paid") {
  Stage s;
  const JobId id = s.buy(4);
  s.tick();
  s.reply("images.start", unknown_outcome());
  CHECK(s.event_types(id) == "ADDED MOVED OUTCOME_UNKNOWN MOVED");
  CHECK(s.job(id).reason == "timeout");
}

TEST_CASE("promise 5: a call whose worker is lost in the last attempt is recorded as unknown") {
  Stage s;
  const JobId id = s.buy(4);
  for (std::size_t lost = 1; lost <= 3; ++lost) {
    s.tick();
    s.live(20s);
    REQUIRE(s.count("images.start") == lost);
    s.crash();
    s.hire();
    s.live(31s);
  }
  s.live(20s);
  CHECK(s.state(id) == "dead_letter");
  CHECK(s.intents(id) == "paid_call unknown, paid_call unknown, paid_call unknown");
  CHECK(s.event_types(id).ends_with("OUTCOME_UNKNOWN"));
}

TEST_CASE("A4-13: losses alone throw no call away that has a handle") {
  Stage s;
  s.image_handle = "prompt-1";
  const JobId id = s.buy(4);
  s.tick();
  for (int lost = 1; lost <= 5; ++lost) {
    s.crash();
    s.hire();
    s.live(60s);
  }
  CHECK(s.state(id) == "running");
  CHECK(s.job(id).version.attempt == 2);
  CHECK(s.count("images.start") == 1);
  s.reply("images.look", whole("/staged/1"));
  s.reply("bucket.land", landed("originals/1/0.png"));
  CHECK(s.state(id) == "completed");
}

TEST_CASE("A4-13: a lost reply costs an attempt, also if our surroundings were at fault") {
  Stage s;
  const JobId id = s.buy(4);
  s.tick();
  Failed lost = failed(FaultKind::environment, "network_down");
  lost.outcome_unknown = true;
  s.reply("images.start", lost);
  CHECK(s.state(id) == "failed");
  CHECK(s.job(id).version.attempt == 1);
}

TEST_CASE("A4-13: a handle that the engine chooses is stored before the call, and asked for") {
  Stage s;
  s.image_handle = "prompt-1";
  const JobId id = s.buy(4);
  s.tick();
  CHECK(s.last("images.start").handle == "prompt-1");
  CHECK(s.job(id).handle == "prompt-1");
  s.crash();
  s.hire();
  s.live(20s);
  CHECK(s.asked() == "images.start 1, images.look 1");
  s.reply("images.look", whole("/staged/1"));
  s.reply("bucket.land", landed("originals/1/0.png"));
  CHECK(s.state(id) == "completed");
  CHECK(s.wallet().spent == 4);
}

TEST_CASE("S4-6: what the engine found out about the image goes to the bucket, after a crash too") {
  Stage s;
  s.buy(4);
  s.tick();
  s.reply("images.start", whole("/staged/1", 5));
  CHECK(s.last("bucket.land").evidence == R"({"size":10})");
  s.crash();
  s.hire();
  s.live(20s);
  CHECK(s.count("bucket.land") == 2);
  CHECK(s.last("bucket.land").evidence == R"({"size":10})");
  CHECK(s.last("bucket.land").size == 5);
}

TEST_CASE(
    "promise 5, promise 13: killed at any commit, an image completes once and is spent once") {
  int commits = 0;
  for (int kill_at = 0;; ++kill_at) {
    CAPTURE(kill_at);
    int left = -1;
    bool was_killed = false;
    Stage s{{}, [&](CommitPhase phase) {
              if (phase != CommitPhase::before || left < 0 || left-- > 0) return;
              was_killed = true;
              throw StoreFault{StoreFault::Kind::gone, "killed"};
            }};
    const JobId id = s.buy(4);
    left = kill_at;
    const auto step = [&](const auto& act) {
      try {
        act();
      } catch (const StoreFault&) {
        s.crash();
        s.hire();
      }
    };
    std::size_t started = 0;
    std::size_t put = 0;
    for (int second = 0; second < 120 && s.state(id) != "completed"; ++second) {
      step([&] { s.after(1s); });
      if (s.count("images.start") > started) {
        started = s.count("images.start");
        step([&] { s.reply("images.start", whole("/staged/1")); });
      }
      if (s.count("bucket.land") > put) {
        put = s.count("bucket.land");
        step([&] { s.reply("bucket.land", landed("originals/1/0.png")); });
      }
    }
    CHECK(s.state(id) == "completed");
    CHECK(s.wallet().spent == 4);
    CHECK(s.wallet().reserved == 0);
    CHECK(s.store().catalog().assets_of(id).size() == 1);
    CHECK(s.count("images.start") <= static_cast<std::size_t>(1 + s.job(id).version.attempt));
    if (!was_killed) break;
    ++commits;
  }
  CHECK(commits >= 4);  // Claim, intent, its outcome, the move to completed.
}

}  // namespace haul::testing

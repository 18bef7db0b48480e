// A paid image: paid once, kept, and the credits add up (document 004, promises 5 and 13).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <utility>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

const Accepted kAccepted{.handle = "call-1"};

// An image for four of ten credits; the provider was asked for it.
JobId running(Stage& s) {
  const JobId id = s.buy(4);
  s.tick();
  return id;
}

// "available/reserved/spent".
std::string credits(Stage& s) {
  const Wallet w = s.wallet();
  CHECK(w.available + w.reserved + w.spent == w.granted);
  return fmt::format("{}/{}/{}", w.available, w.reserved, w.spent);
}

}  // namespace

TEST_CASE("004: an image is paid, fetched into the bucket and completed, and spent once") {
  Stage s;
  const JobId id = s.buy(4);
  CHECK(credits(s) == "6/4/0");

  s.tick();
  s.reply("images.start", kAccepted);
  CHECK(s.job(id).handle == "call-1");
  s.reply("images.start", whole("https://p/1", 5));
  CHECK(s.last("bucket.land").path == "https://p/1");
  CHECK(s.state(id) == "running");
  s.reply("bucket.land", landed("/originals/1.png", 5));
  s.live(10min, 10s);

  CHECK(s.trail(id) == "queued > running > completed");
  CHECK(s.event_types(id) == "ADDED MOVED MOVED");
  CHECK(s.asked() == "images.start 1, bucket.land 1");
  CHECK(s.intents(id) == "paid_call done");
  CHECK(credits(s) == "6/0/4");
}

TEST_CASE("S4-5, S4-6: completed has its asset and its address, and neither is there before") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", whole("https://p/1"));
  CHECK(s.store().catalog().assets_of(id).empty());
  CHECK(s.job(id).result.empty());

  s.reply("bucket.land", landed("/originals/1.png", 5));
  CHECK(s.store().catalog().assets_of(id).at(0).path == "/originals/1.png");
  CHECK(s.job(id).result == "/api/v1/jobs/1/result");
}

TEST_CASE("Z-21: the intent to pay is written before the provider is asked") {
  Stage s;
  const JobId id = running(s);
  CHECK(s.count("images.start") == 1);
  CHECK(s.intents(id) == "paid_call open");
}

TEST_CASE(
    "S4-10: a safety block rejects, spends what was reserved and is audited without a prompt") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", failed(FaultKind::rejected, "nsfw"));
  CHECK(s.trail(id) == "queued > running > rejected");
  CHECK(credits(s) == "6/0/4");
  const AuditEntry entry = s.store().ledger().audits(0, 10).at(0);
  CHECK(entry.action == "SAFE_BLOCK");
  CHECK(entry.detail.starts_with("nsfw: as scripted; prompt sha256 "));
  CHECK(entry.detail.size() == 33 + 64);
}

TEST_CASE(
    "S4-8, A4-5: it fails into waits of 2 and 4 s, the third failure is a refunded dead letter") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", failed(FaultKind::retryable, "http_500"));
  CHECK(s.trail(id) == "queued > running > failed");
  s.live(1'999ms, 500ms);
  CHECK(s.state(id) == "failed");
  s.live(1'001ms, 500ms);
  CHECK(s.count("images.start") == 2);

  s.reply("images.start", failed(FaultKind::retryable, "http_500"));
  s.live(3'999ms, 500ms);
  CHECK(s.state(id) == "failed");
  CHECK(credits(s) == "6/4/0");
  s.live(1'001ms, 500ms);
  s.reply("images.start", failed(FaultKind::retryable, "http_500"));

  CHECK(s.trail(id) ==
        "queued > running > failed > queued > running > failed > queued > running > failed > "
        "dead_letter");
  CHECK(credits(s) == "10/0/0");
  CHECK(s.intents(id) == "paid_call failed, paid_call failed, paid_call failed");
}

TEST_CASE("A4-4: a fault that stays is a dead letter at once, by two events") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", failed(FaultKind::permanent, "http_400"));
  CHECK(s.trail(id) == "queued > running > failed > dead_letter");
  CHECK(s.job(id).reason == "http_400");
  CHECK(credits(s) == "10/0/0");
}

TEST_CASE("promise 12: our surroundings cost neither an attempt nor the job: 30 s, then on") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", failed(FaultKind::environment, "network_down"));
  CHECK(s.state(id) == "running");
  CHECK_FALSE(s.job(id).worker);
  CHECK((s.job(id).due_at == s.clock.now() + 30s));
  s.live(29'999ms);
  CHECK(s.count("images.start") == 1);
  s.after(1ms);
  CHECK(s.count("images.start") == 2);
  CHECK(s.job(id).version.attempt == 0);
  CHECK(credits(s) == "6/4/0");
}

TEST_CASE("A4-13: after a lost worker the paid call is asked about by its name, not paid again") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", kAccepted);
  s.crash();
  s.hire();
  s.live(20s);

  CHECK(s.asked() == "images.start 1, images.look 1");
  CHECK(s.last("images.look").handle == "call-1");
  CHECK(s.trail(id) == "queued > running > failed > queued > running");
  s.reply("images.look", whole("https://p/1"));
  s.reply("bucket.land", landed("/originals/1.png"));
  CHECK(s.state(id) == "completed");
  CHECK(s.intents(id) == "paid_call done");
  CHECK(credits(s) == "6/0/4");
}

TEST_CASE(
    "promise 5: a worker lost before the provider named the call leaves an unknown, then pays") {
  Stage s;
  const JobId id = running(s);
  s.crash();
  s.hire();
  s.live(20s);
  CHECK(s.intents(id) == "paid_call unknown, paid_call open");
  CHECK(s.count("images.start") == 2);
  CHECK(s.job(id).version.attempt == 1);
  CHECK(s.event_types(id) == "ADDED MOVED MOVED MOVED MOVED OUTCOME_UNKNOWN");
  CHECK(credits(s) == "6/4/0");
}

TEST_CASE("A4-13: a call the provider has forgotten is a failure, and the next try pays anew") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", kAccepted);
  s.crash();
  s.hire();
  s.live(20s);
  s.reply("images.look", Missing{});
  CHECK(s.job(id).reason == "provider_forgot");
  CHECK(s.job(id).version.attempt == 2);
  CHECK(s.job(id).handle.empty());
  s.live(6s);
  CHECK(s.count("images.start") == 2);
}

TEST_CASE("promise 5: a bucket that fails does not make haul pay again, also without a handle") {
  for (const FaultKind kind : {FaultKind::environment, FaultKind::retryable}) {
    Stage s;
    const JobId id = running(s);
    s.reply("images.start", whole("https://p/1", 5));
    s.reply("bucket.land", failed(kind, "bucket_unreachable"));
    s.live(31s);

    CHECK(s.count("images.start") == 1);
    REQUIRE(s.count("bucket.land") == 2);
    CHECK(s.last("bucket.land").path == "https://p/1");
    CHECK(s.last("bucket.land").size == 5);
    s.reply("bucket.land", landed("/originals/1.png"));
    CHECK(s.state(id) == "completed");
    CHECK(s.intents(id) == "paid_call done");
    CHECK(credits(s) == "6/0/4");
  }
}

TEST_CASE("promise 5: a worker lost after the image came, or after it landed, does not pay again") {
  for (const bool has_landed : {false, true}) {
    CAPTURE(has_landed);
    int commits_left = -1;
    Stage s{{}, [&](CommitPhase phase) {
              if (phase == CommitPhase::before && commits_left >= 0 && commits_left-- == 0)
                throw StoreFault{StoreFault::Kind::gone, "killed"};
            }};
    const JobId id = running(s);
    s.reply("images.start", whole("https://p/1"));
    CHECK(s.intents(id) == "paid_call done");
    if (has_landed) {
      commits_left = 0;  // The move to completed is not stored.
      CHECK_THROWS_AS(s.reply("bucket.land", landed("/originals/1.png")), StoreFault);
    }
    s.crash();
    s.hire();
    s.live(20s);

    CHECK(s.count("images.start") == 1);
    CHECK(s.count("bucket.land") == 2);
    s.reply("bucket.land", landed("/originals/1.png"));
    CHECK(s.state(id) == "completed");
    CHECK(credits(s) == "6/0/4");
  }
}

TEST_CASE("A4-13: a paid call goes on through a pause, and is not paid for again") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", kAccepted);
  REQUIRE(flow::pause(s.store(), id, s.clock.now()).wished);
  s.after(1s);
  CHECK(s.job(id).paused);
  CHECK(s.job(id).handle == "call-1");
  s.reply("images.start", failed(FaultKind::retryable, "late"));

  REQUIRE(flow::resume(s.store(), id, s.clock.now()).done);
  s.tick();
  CHECK(s.asked() == "images.start 1, images.look 1");
  CHECK(s.last("images.look").handle == "call-1");
  CHECK(s.job(id).version.attempt == 0);
}

TEST_CASE("A4-13: a paid call goes on through a shutdown, and the next worker asks for it") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", kAccepted);
  CHECK(s.worker().wind_down());
  s.worker().stop();
  CHECK(s.state(id) == "running");
  s.crash();
  s.hire();
  s.tick();

  CHECK(s.asked() == "images.start 1, images.look 1");
  s.reply("images.look", whole("https://p/1"));
  s.reply("bucket.land", landed("/originals/1.png"));
  CHECK(s.state(id) == "completed");
  CHECK(s.job(id).version.attempt == 0);
  CHECK(s.intents(id) == "paid_call done");
}

TEST_CASE("A4-13: a bucket that fails to stop keeps the image, and the next worker lands it") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", kAccepted);
  s.reply("images.start", whole("https://p/1"));
  REQUIRE(flow::pause(s.store(), id, s.clock.now()).wished);
  s.after(1s);
  const Call stop = s.last("bucket.stop");
  s.push(stop, failed(FaultKind::retryable, "connection_lost"));
  s.push(stop, failed(FaultKind::retryable, "connection_lost"));
  s.tick();
  CHECK(s.job(id).paused);

  REQUIRE(flow::resume(s.store(), id, s.clock.now()).done);
  s.tick();
  CHECK(s.count("images.look") == 0);
  CHECK(s.count("images.start") == 1);
  REQUIRE(s.count("bucket.land") == 2);

  // What was kept is gone: the provider is asked for it, once.
  s.reply("bucket.land", failed(FaultKind::retryable, "staged_gone"));
  CHECK(s.count("images.look") == 1);
  s.reply("images.look", whole("https://p/2"));
  REQUIRE(s.count("bucket.land") == 3);
  s.reply("bucket.land", failed(FaultKind::retryable, "staged_gone"));
  CHECK(s.state(id) == "failed");
  CHECK(s.count("images.look") == 1);
}

TEST_CASE("promise 3: a bucket that lands no file fails the try, and lands it at the next") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", whole("https://p/1"));
  s.reply("bucket.land", Landed{.files = {}, .evidence = "{}"});
  CHECK(s.state(id) == "failed");
  CHECK(s.job(id).reason == "nothing_landed");
  CHECK(s.job(id).version.attempt == 1);
  s.live(4s);
  CHECK(s.count("bucket.land") == 2);
  CHECK(s.count("images.start") == 1);
}

TEST_CASE("A4-4: a provider that asks for a longer wait than the backoff is called after it") {
  for (const auto& [asked, waits] : {std::pair{1s, 2s}, {90s, 90s}}) {
    Stage s;
    const JobId id = running(s);
    Failed busy = failed(FaultKind::retryable, "http_429");
    busy.wait_ms = Millis{asked}.count();
    s.reply("images.start", busy);
    CHECK(s.state(id) == "failed");
    CHECK((s.job(id).due_at == s.clock.now() + waits));
  }
}

TEST_CASE("A4-13: a look that finds the call at work waits for the next poll, 2 s") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", kAccepted);
  s.reply("images.start", Moving{.have = 1});  // Its answer is on the way: no look.
  CHECK(s.count("images.look") == 0);
  s.crash();
  s.hire();
  s.live(20s);
  REQUIRE(s.count("images.look") == 1);
  s.reply("images.look", Moving{.have = 1});
  CHECK(s.job(id).reason == "at_work");
  s.live(1'999ms);
  CHECK(s.count("images.look") == 1);
  s.after(1ms);
  CHECK(s.count("images.look") == 2);
}

TEST_CASE(
    "promise 3: a store that is busy when a call fails loses neither the answer nor the job") {
  bool busy = false;
  Stage s{{}, [&](CommitPhase phase) {
            if (phase == CommitPhase::before && std::exchange(busy, false))
              throw StoreFault{StoreFault::Kind::busy, "once"};
          }};
  const JobId id = running(s);
  busy = true;
  s.reply("images.start", failed(FaultKind::permanent, "http_400"));
  CHECK(s.state(id) == "running");
  s.live(1min);
  CHECK(s.state(id) == "dead_letter");
  CHECK(s.intents(id) == "paid_call failed");
}

TEST_CASE("S4-15: a provider that cannot be asked is asked again in 30 s, at no cost") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", kAccepted);
  s.crash();
  s.hire();
  s.live(20s);
  s.reply("images.look", Unseen{.code = "provider_unreachable"});
  CHECK(s.job(id).reason == "provider_unreachable");
  CHECK(s.job(id).version.attempt == 1);
  s.live(29'999ms);
  CHECK(s.count("images.look") == 1);
  s.after(1ms);
  CHECK(s.count("images.look") == 2);
}

TEST_CASE("F47, S3-24: no answer for 15 min is a failure with the outcome unknown, not before") {
  Stage s;
  const JobId id = running(s);
  s.after(899'999ms);
  CHECK(s.state(id) == "running");
  s.after(1ms);
  CHECK(s.state(id) == "failed");
  CHECK(s.job(id).reason == "no_answer");
  CHECK(s.intents(id) == "paid_call unknown");
}

TEST_CASE("A4-13: no answer for 15 min of a call with a name: the next try asks, it does not pay") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", kAccepted);
  s.after(900s);
  CHECK(s.state(id) == "failed");
  CHECK(s.job(id).handle == "call-1");
  s.live(4s);
  CHECK(s.asked() == "images.start 1, images.look 1");
}

TEST_CASE(
    "A4-13: an accepted call that takes long is polled under its lease, and costs no attempt") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", kAccepted);
  s.reply("images.start", Waiting{.detail = {}, .code = "at_work"});
  CHECK(s.job(id).reason == "at_work");
  for (int i = 0; i < 400; ++i) {
    s.live(2s);
    s.reply("images.look", Waiting{.detail = {}, .code = "at_work"});
  }
  CHECK(s.state(id) == "running");
  CHECK(s.job(id).version.attempt == 0);
  s.live(2s);
  s.reply("images.look", whole("https://p/1"));
  s.reply("bucket.land", landed("/originals/1.png"));
  CHECK(s.state(id) == "completed");
  CHECK(s.count("images.start") == 1);
}

TEST_CASE("F47: a call that the provider never finishes is stopped after wait_max, 30 min") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", kAccepted);
  s.reply("images.start", Waiting{.detail = {}, .code = "at_work"});
  for (int i = 0; i < 899; ++i) {
    s.live(2s);
    s.reply("images.look", Waiting{.detail = {}, .code = "at_work"});
  }
  CHECK(s.state(id) == "running");
  s.asked();
  s.live(2s);
  s.reply("images.look", Waiting{.detail = {}, .code = "at_work"});
  CHECK(s.asked() == "images.look 1, images.stop 1");
  CHECK(s.last("images.stop").handle == "call-1");
  CHECK(s.state(id) == "failed");
  CHECK(s.job(id).reason == "provider_too_slow");
  CHECK(s.job(id).version.attempt == 1);
  CHECK(s.job(id).handle.empty());
}

TEST_CASE("F47: a call without a name, or a bucket, that says nothing for 15 min is stopped") {
  Stage s;
  running(s);
  s.asked();
  s.after(900s);
  CHECK(s.asked() == "images.stop 1");

  Stage t;
  running(t);
  t.reply("images.start", whole("https://p/1"));
  t.asked();
  t.after(900s);
  CHECK(t.asked() == "bucket.stop 1");
}

TEST_CASE("F47: a lost reply is unknown, not failed, and its repetition is written down as such") {
  Stage s;
  const JobId id = running(s);
  s.reply("images.start", unknown_outcome());
  CHECK(s.intents(id) == "paid_call unknown");
  s.live(4s);
  CHECK(s.intents(id) == "paid_call unknown, paid_call open");
}

TEST_CASE(
    "S4-15: the second lost worker leads to a third try, the third to a refunded dead letter") {
  Stage s;
  const JobId id = running(s);
  for (int lost = 1; lost <= 3; ++lost) {
    CHECK(s.state(id) == "running");
    s.crash();
    s.hire();
    s.live(25s);
    CHECK(s.job(id).version.attempt == lost);
  }
  CHECK(s.state(id) == "dead_letter");
  CHECK(credits(s) == "10/0/0");
}

TEST_CASE("promise 13: told twice, a finished image lands and is spent once") {
  Stage s;
  const JobId id = running(s);
  s.push(s.last("images.start"), whole("https://p/1"));
  s.tick();
  const Call land = s.last("bucket.land");
  s.push(land, landed("/originals/1.png"));
  s.push(land, landed("/originals/1.png"));
  s.tick();
  s.push(land, failed(FaultKind::permanent, "late"));
  s.tick();
  CHECK(s.trail(id) == "queued > running > completed");
  CHECK(credits(s) == "6/0/4");
}

}  // namespace haul::testing

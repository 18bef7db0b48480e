// Regression tests of jobs without items: each case was a bug.

#include <doctest/doctest.h>

#include <utility>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

const Sent kAck{.ack = R"({"message_id":7})"};

JobId confirmed(Stage& s, const Lifecycle& table) {
  const JobId id = s.add(table);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  return id;
}

JobId failed_film(Stage& s, const What& how) {
  const JobId id = confirmed(s, kMedia);
  s.reply("client.look", how);
  REQUIRE(s.state(id) == "failed");
  return id;
}

void retry(Stage& s, JobId id) {
  REQUIRE(haul::flow::retry(s.store(), id, s.clock.now()).has_value());
  s.tick();
}

}  // namespace

TEST_CASE("promise 5: two reports of moving bytes in one mail stream once and deliver once") {
  Stage s;
  const JobId id = s.add(kRelay);
  s.tick();
  const Call start = s.last("disk.start");
  s.push(start, Moving{.have = 1});
  s.push(start, Moving{.have = 2});
  s.tick();
  s.reply("chat.land", kAck);
  s.live(15s);
  CHECK(s.state(id) == "DELIVERED");
}

TEST_CASE("promise 5: bytes, then a failure, in one mail do not send half a file") {
  Stage s;
  const JobId id = s.add(kRelay);
  s.tick();
  const Call start = s.last("disk.start");
  s.push(start, Moving{.have = 1});
  s.push(start, failed(FaultKind::permanent, "not_found"));
  s.tick();
  s.reply("chat.stop", Stopped{});
  CHECK(s.state(id) == "FAILED");
  CHECK(s.count("chat.land") == 1);
}

TEST_CASE("003: a file so small that the disk reports only its end is sent") {
  Stage s;
  s.add(kRelay);
  s.tick();
  s.reply("disk.start", whole("/spool/1", 1));
  CHECK(s.count("chat.land") == 1);
}

TEST_CASE("promise 3: an acknowledgement that is no JSON delivers, or at least comes to an end") {
  Stage s;
  const JobId id = s.add(kRelay);
  s.tick();
  s.reply("disk.start", Moving{.have = 1});
  s.reply("chat.land", Sent{.ack = "AgADBAAD"});
  for (int i = 0; i < 20; ++i) {
    s.live(15s);
    s.reply("disk.start", Moving{.have = 1});
  }
  CHECK_FALSE(s.job(id).state().is_open());
}

TEST_CASE("F05: a store that is busy once loses no sight that was already read") {
  bool busy = false;
  Stage s{{}, [&](CommitPhase phase) {
            if (phase == CommitPhase::before && std::exchange(busy, false))
              throw StoreFault{StoreFault::Kind::busy, "once"};
          }};
  const JobId id = s.add(kRelay);
  s.tick();
  s.reply("disk.start", Moving{.have = 1});
  busy = true;
  CHECK_NOTHROW(s.reply("chat.land", kAck));
  CHECK(s.state(id) == "STREAMING");
  s.live(1min);
  CHECK(s.state(id) == "DELIVERED");
}

TEST_CASE("a film told twice to have landed stays on the desk") {
  Stage s;
  confirmed(s, kMedia);
  s.reply("client.look", whole("/d/film"));
  const Call land = s.last("library.land");
  s.push(land, landed("/lib/film"));
  s.push(land, landed("/lib/film"));
  s.tick();
  CHECK(s.worker().held() == 1);
}

TEST_CASE("A4-13: a bucket that is full does not make haul pay for the image again") {
  Stage s;
  s.buy(4);
  s.tick();
  s.reply("images.start", Accepted{.handle = "call-1"});
  s.reply("images.start", whole("https://p/1"));
  s.reply("bucket.land", failed(FaultKind::environment, "disk_full"));
  s.live(31s);
  CHECK(s.count("images.start") == 1);
}

TEST_CASE("A4-13: a paid call that is still at work when asked about is asked about again") {
  Stage s;
  s.buy(4);
  s.tick();
  s.reply("images.start", Accepted{.handle = "call-1"});
  s.crash();
  s.hire();
  s.live(20s);
  s.reply("images.look", Moving{});
  s.live(5min);
  CHECK(s.count("images.look") >= 2);
}

TEST_CASE("promise 14: a dead letter retried twice is one new job and one reservation") {
  Stage s;
  const JobId id = s.buy(4);
  s.tick();
  s.reply("images.start", failed(FaultKind::permanent, "http_400"));
  retry(s, id);
  retry(s, id);
  CHECK(s.wallet().reserved == 4);
}

TEST_CASE("promise 15: a paused book can be cancelled") {
  Stage s;
  const JobId id = s.add(kBook, {.paused = true});
  CHECK(flow::cancel(s.store(), id, s.clock.now()).wished);
  s.tick();
  CHECK(s.state(id) == "canceled");
  CHECK(s.asked().empty());
}

TEST_CASE("promise 15: a book that was paused after its hand-over began is stopped at its client") {
  Stage s;
  const JobId id = s.add(kBook, {.paused = true});
  REQUIRE(s.store().intents().record(id, {.kind = kHandOverIntent, .data = {}}, s.clock.now()));
  CHECK(flow::cancel(s.store(), id, s.clock.now()).wished);
  s.live(1min);
  CHECK(s.count("client.stop") >= 1);
  CHECK(s.state(id) == "queued");
}

TEST_CASE("A0-7: the client is told whether to delete files on a cancel") {
  Stage s;
  const JobId id =
      s.add(kBook, {.request = R"({"book_id":"b","media_type":"text","uri":"magnet:?m",)"
                               R"("source":"t","delete_files_on_cancel":true})"});
  s.tick();
  flow::cancel(s.store(), id, s.clock.now());
  s.tick();
  CHECK(s.last("client.stop").request.find("delete_files_on_cancel") != std::string::npos);
}

TEST_CASE("Z-1: a torrent that comes back finished clears the mark") {
  Stage s;
  const JobId id = confirmed(s, kBook);
  s.reply("client.look", Missing{});
  s.after(15s);
  s.reply("client.look", whole("/d/1"));
  REQUIRE(s.state(id) == "completed");
  CHECK_FALSE(s.job(id).missing_since.has_value());
}

TEST_CASE("Z-1: after a retry the steady grace begins again, so a clock set forward waits") {
  Stage s;
  const JobId id = confirmed(s, kMedia);
  for (int i = 0; i < 5; ++i) {
    s.reply("client.look", Missing{});
    s.after(15s);
  }
  REQUIRE(s.state(id) == "failed");
  retry(s, id);
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", Missing{});
  s.clock.set(61s);
  s.after(15s);
  s.reply("client.look", Missing{});
  CHECK(s.state(id) == "queued");
}

TEST_CASE("S1-17: a late answer to a film's former life does not fail its retry") {
  Stage s;
  const JobId id = failed_film(s, failed(FaultKind::permanent, "engine_error"));
  const Call old = s.last("client.look");
  retry(s, id);
  s.push(old, failed(FaultKind::permanent, "engine_error"));
  s.tick();
  CHECK(s.state(id) == "queued");
}

TEST_CASE("S0-6, S1-17: a retried film has all its hand-overs again") {
  Stage s;
  const JobId id = s.add(kMedia);
  s.tick();
  const auto fail_hand_over = [&] {
    s.reply("client.start", failed(FaultKind::retryable, "unavailable"));
    s.after(5s);
  };
  for (int i = 0; i < kMedia.attempts_max; ++i) fail_hand_over();
  REQUIRE(s.state(id) == "failed");
  retry(s, id);
  s.tick();
  for (int i = 0; i < kMedia.attempts_max - 1; ++i) fail_hand_over();
  CHECK(s.state(id) == "queued");
}

TEST_CASE("F08, S0-20: films that wait for a slow library do not keep new ones from their client") {
  Stage s{{.poll_max = 2, .held_max = 1}};
  for (int i = 0; i < 3; ++i) {
    confirmed(s, kMedia);
    s.reply("client.look", whole("/d/film"));
  }
  const JobId fourth = s.add(kMedia);
  s.live(1min);
  CHECK((s.last("client.start").job == fourth));
}

TEST_CASE("promise 3: 4,001 jobs put off by a clock set back a year are all due again") {
  Stage s{{.poll_max = 1}};
  for (int i = 0; i < 4'001; ++i) s.add(kBook);
  s.tick();
  s.clock.set(-24h * 365);
  s.live(5s);
  std::size_t late = 0;
  for (std::int64_t i = 1; i <= 4'001; ++i)
    if (s.job(JobId{i}).due_at > s.clock.now() + 10min) ++late;
  CHECK(late == 0);
}

TEST_CASE("promise 3: a job that was paused while the clock was set back goes on when resumed") {
  Stage s;
  const JobId id = s.add(kRelay, {.paused = true});
  s.tick();
  s.clock.set(-24h * 365);
  s.live(10s);
  REQUIRE(s.store().jobs().resume(s.job(id).version, s.clock.now()).has_value());
  s.live(601s);
  CHECK(s.state(id) == "DOWNLOADING");
}

TEST_CASE("Z-8: an environment fault of a relay keeps its own reason") {
  Stage s;
  const JobId id = s.add(kRelay);
  s.tick();
  s.reply("disk.start", failed(FaultKind::environment, "disk_full"));
  CHECK(s.job(id).reason == "disk_full");
}

TEST_CASE("Z-15: no params and empty params are the same request") {
  Stage s;
  const JobId id = s.add(kImage, {.request = R"({"prompt":"x"})"});
  CHECK((s.add(kImage, {.request = R"({"prompt":"x","params":{}})"}) == id));
}

TEST_CASE("a required field that is null is missing") {
  Stage s;
  CHECK_FALSE(
      flow::add(s.store(), {.lifecycle = &kImage, .request = R"({"prompt":null})"}, s.clock.now()));
}

TEST_CASE("Z-8: a job that waits for haul's surroundings shows the fault's code and its detail") {
  Stage s;
  const JobId relay = s.add(kRelay);
  s.tick();
  s.reply("disk.start", failed(FaultKind::environment, "network_down"));
  CHECK(s.job(relay).reason + ": " + s.job(relay).detail == "network_down: as scripted");

  const JobId film = s.add(kMedia);  // Waits under its lease.
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole("/d/film"));
  s.tick();
  s.reply("library.land", failed(FaultKind::environment, "disk_full"));
  CHECK(s.job(film).reason + ": " + s.job(film).detail == "disk_full: as scripted");
}

}  // namespace haul::testing

// A book from hand-over to shelf, by a worker that the test ticks (document 000).

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// A book that its client has accepted; the worker has asked about it once.
JobId confirmed(Stage& s) {
  const JobId id = s.add(kBook);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  return id;
}

JobId downloading(Stage& s) {
  const JobId id = confirmed(s);
  s.reply("client.look", Moving{.have = 1});
  return id;
}

// Answers the next look, 15 s later, with `what`.
void looks(Stage& s, const What& what, Millis after = 15s) {
  s.after(after);
  s.reply("client.look", what);
}

const Unseen kDown{.code = "client_unreachable"};

}  // namespace

TEST_CASE("000: a book is handed over, watched, landed and shelved, each step once") {
  Stage s;
  const JobId id = s.add(kBook);

  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", Waiting{.detail = "metadata"});
  looks(s, Moving{.have = 1});
  looks(s, Moving{.have = 9});
  looks(s, whole("/d/1", 10));
  s.live(60s);

  CHECK(s.trail(id) == "queued > downloading > completed");
  CHECK(s.event_types(id) == "ADDED MOVED MOVED");
  CHECK(s.asked() == "client.start 1, client.look 1, client.look 1, client.look 1, client.look 1");
  CHECK(s.intents(id) == "hand_over done");
  CHECK(s.job(id).handle == "hash");
}

TEST_CASE("S0-22: completion records path, size and source, and the book is in the library") {
  Stage s;
  const JobId id = downloading(s);
  CHECK(s.store().catalog().book("b1")->shelf == "archive");

  looks(s, whole("/d/1", 10));

  const Asset asset = s.store().catalog().assets_of(id).at(0);
  CHECK(asset.book == "b1");
  CHECK(asset.media_type == "text");
  CHECK(asset.path == "/d/1");
  CHECK(asset.size == 10);
  CHECK(asset.source_url == "https://t/1");
  CHECK(asset.source == "tracker");
  CHECK((s.store().catalog().book("b1") == Book{"b1", "Emma", "library"}));
}

TEST_CASE("A0-1: finished while queued is two moves and two events in one cycle") {
  Stage s;
  const JobId id = confirmed(s);

  s.reply("client.look", whole("/d/1"));

  CHECK(s.trail(id) == "queued > downloading > completed");
}

TEST_CASE("S0-23: completed told twice in one mail, and once more later, completes once") {
  Stage s;
  const JobId id = downloading(s);
  const Call look = s.last("client.look");

  s.push(look, whole("/d/1"));
  s.push(look, whole("/d/1"));
  s.tick();
  s.push(look, whole("/d/other"));
  s.push(look, Missing{});
  s.tick();

  CHECK(s.trail(id) == "queued > downloading > completed");
  CHECK(s.store().catalog().assets_of(id).at(0).path == "/d/1");
}

TEST_CASE("A0-2: a finished file that is not in its place waits, and completes when it is") {
  Stage s;
  const JobId id = downloading(s);

  looks(s, haul::Finished{.path = "/d/1", .size = 10, .in_place = false, .evidence = "{}"});
  CHECK(s.state(id) == "downloading");
  CHECK(s.job(id).reason == "asset_pending");

  looks(s, whole("/d/1"));
  CHECK(s.state(id) == "completed");
}

TEST_CASE("S0-18: a job is asked about every 15 s: not at 14.999, and at 15") {
  Stage s;
  const JobId id = downloading(s);
  s.asked();

  s.after(14'999ms);
  CHECK(s.asked().empty());
  s.after(1ms);
  CHECK(s.asked() == "client.look 1");
  CHECK((s.job(id).due_at == s.clock.now() + 15s));
}

TEST_CASE("S0-19, S0-20: of 250 jobs 100 are asked about at once, and all in three cycles") {
  Stage s;
  for (int i = 0; i < 250; ++i) s.add(kBook);

  s.tick();
  CHECK(s.count("client.start") == 100);
  s.tick();
  CHECK(s.count("client.start") == 200);
  s.tick();
  CHECK(s.count("client.start") == 250);
  s.tick();
  CHECK(s.count("client.start") == 250);
}

TEST_CASE("S0-24: one job that errs and one bad answer do not keep the others from theirs") {
  Stage s;
  const JobId bad = downloading(s);
  const Call of_bad = s.last("client.look");
  const JobId odd = downloading(s);
  const Call of_odd = s.last("client.look");
  const JobId good = downloading(s);

  s.push(of_bad, failed(FaultKind::permanent, "engine_error"));
  s.push(of_odd, haul::Finished{.path = "", .size = -1, .evidence = "not JSON"});
  s.reply("client.look", whole("/d/3"));

  CHECK(s.trail(bad) == "queued > downloading > failed");
  CHECK(s.job(bad).reason == "engine_error");
  CHECK(s.state(odd) == "downloading");
  CHECK(s.state(good) == "completed");
}

TEST_CASE("S0-7 to S0-9: not found for 59.999 s keeps the job, for 60 s fails it") {
  Stage s;
  const JobId id = downloading(s);
  looks(s, Missing{});
  CHECK((s.job(id).missing_since == s.clock.now()));

  looks(s, Missing{}, 30s);
  looks(s, Missing{}, 29'999ms);
  CHECK(s.state(id) == "downloading");

  s.clock.pass(1ms);
  s.reply("client.look", Missing{});
  CHECK(s.trail(id) == "queued > downloading > failed");
  CHECK(s.job(id).reason == "missing_external_job");
}

TEST_CASE("S0-9: a torrent that comes back within the grace starts it anew") {
  Stage s;
  const JobId id = downloading(s);
  looks(s, Missing{});
  looks(s, Missing{}, 45s);
  looks(s, Moving{.have = 1}, 14s + 1s);
  CHECK_FALSE(s.job(id).missing_since.has_value());

  looks(s, Missing{});
  looks(s, Missing{}, 59'999ms);
  CHECK(s.state(id) == "downloading");
  s.clock.pass(1ms);
  s.reply("client.look", Missing{});
  CHECK(s.state(id) == "failed");
}

TEST_CASE("S0-10: an hour of an unreachable client sets no mark, clears none and fails nothing") {
  Stage s;
  const JobId unmarked = downloading(s);
  for (int i = 0; i < 240; ++i) looks(s, kDown);
  CHECK(s.state(unmarked) == "downloading");
  CHECK_FALSE(s.job(unmarked).missing_since.has_value());
  CHECK(s.job(unmarked).reason == "client_unreachable");

  looks(s, Missing{});
  const auto mark = s.job(unmarked).missing_since;
  for (int i = 0; i < 240; ++i) looks(s, kDown);
  CHECK(s.state(unmarked) == "downloading");
  CHECK((s.job(unmarked).missing_since == mark));
}

TEST_CASE("A0-6: time without an answer counts, but never fails a job by itself") {
  Stage s;
  const JobId id = downloading(s);
  looks(s, Missing{});
  looks(s, kDown, 60s);
  CHECK(s.state(id) == "downloading");

  looks(s, Missing{});
  CHECK(s.state(id) == "failed");
}

TEST_CASE("A0-5: a client slow to confirm is no vanished torrent, however slow") {
  Stage s;
  const JobId id = s.add(kBook);
  s.tick();

  s.live(10min, 15s);
  s.reply("client.start", Missing{});

  CHECK(s.trail(id) == "queued");
  CHECK(s.count("client.look") == 0);
  CHECK_FALSE(s.job(id).missing_since.has_value());
}

TEST_CASE("S0-6: a hand-over is tried three times, 0.3 and 0.6 s apart, then the job fails") {
  Stage s;
  const JobId id = s.add(kBook);
  s.tick();
  s.reply("client.start", failed(FaultKind::retryable, "enqueue_unavailable"));
  s.after(299ms);
  CHECK(s.count("client.start") == 1);
  s.after(1ms);
  CHECK(s.count("client.start") == 2);

  s.reply("client.start", failed(FaultKind::retryable, "enqueue_unavailable"));
  s.after(599ms);
  CHECK(s.count("client.start") == 2);
  s.after(1ms);
  CHECK(s.count("client.start") == 3);
  CHECK(s.state(id) == "queued");

  s.reply("client.start", failed(FaultKind::retryable, "enqueue_unavailable"));
  CHECK(s.trail(id) == "queued > failed");
  CHECK(s.job(id).reason == "enqueue_unavailable");
  CHECK(s.intents(id) == "hand_over failed, hand_over failed, hand_over failed");
}

TEST_CASE("S0-6: a hand-over that is refused for good fails at once") {
  Stage s;
  const JobId id = s.add(kBook);
  s.tick();
  s.reply("client.start", failed(FaultKind::permanent, "enqueue_failed"));
  CHECK(s.trail(id) == "queued > failed");
}

TEST_CASE("promise 12: our surroundings may prevent a hand-over a hundred times at no cost") {
  Stage s;
  const JobId id = s.add(kBook);
  s.tick();
  for (int i = 0; i < 100; ++i) {
    s.reply("client.start", failed(FaultKind::environment, "disk_full"));
    s.after(15s);
  }
  CHECK(s.state(id) == "queued");
  CHECK(s.job(id).reason == "disk_full");

  s.reply("client.start", Accepted{.handle = "hash"});
  CHECK(s.intents(id) == "hand_over done");
}

TEST_CASE("S0-25: a worker lost between the add and its answer leaves one intent and one tag") {
  Stage s;
  const JobId id = s.add(kBook);
  s.tick();
  const std::string request = s.last("client.start").request;
  s.crash();
  s.hire();

  s.live(15s);
  CHECK(s.count("client.start") == 2);
  CHECK(s.last("client.start").request == request);
  s.reply("client.start", Accepted{.handle = "hash"});

  CHECK(s.intents(id) == "hand_over done");
  CHECK(s.last("client.look").handle == "hash");
}

}  // namespace haul::testing

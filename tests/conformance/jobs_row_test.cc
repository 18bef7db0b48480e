// What a move leaves in the row: lease, times, reason, result.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

void move(Bench& b, JobId id, On on, const std::string& reason = "",
          const std::string& detail = "") {
  Ask ask = b.draft(id, on);
  ask.reason = reason;
  ask.detail = detail;
  REQUIRE(b.ask(ask).has_value());
}

std::string trouble(Bench& b, JobId id) { return b.job(id).reason + "|" + b.job(id).detail; }

}  // namespace

TEST_CASE("a lease is kept from leased state to leased state, with worker and fence") {
  Bench b;
  const JobId relay = b.reach(kRelay, "CLAIMED");
  for (const On on : {On::start, On::stream}) {
    move(b, relay, on);
    CHECK((b.job(relay).worker == b.worker()));
    CHECK(b.version(relay).fence == 1);
  }
  const JobId media = b.reach(kMedia, "completed");
  const std::int64_t fence = b.version(media).fence;
  move(b, media, On::landed);
  CHECK((b.job(media).worker == b.worker()));
  CHECK(b.version(media).fence == fence);
}

TEST_CASE("a lease is dropped by a move into a state without one; the fence stays") {
  Bench b;
  const JobId requeued = b.reach(kRelay, "DOWNLOADING");
  move(b, requeued, On::requeue);
  const JobId waiting = b.reach(kImage, "running");
  move(b, waiting, On::fail);

  for (const JobId id : {requeued, waiting}) {
    CHECK_FALSE(bool{b.job(id).worker});
    CHECK(b.version(id).fence == 1);
  }
}

TEST_CASE("a leased state reached by anything but a claim or its holder is unleased and due now") {
  Bench b;
  const JobId fetched = b.reach(kMedia, "downloading");
  move(b.after(1s), fetched, On::fetched);
  const JobId pushed = b.reach(kRelay, "CLAIMED");
  Ask ask = b.draft(pushed, On::start);
  ask.by = By::system;
  REQUIRE(b.ask(ask).has_value());

  for (const JobId id : {fetched, pushed}) {
    CHECK_FALSE(bool{b.job(id).worker});
    CHECK((b.job(id).due_at == b.now()));
  }
}

TEST_CASE("an ended row is clean: no worker, no due_at, its ended_at, in every end there is") {
  int ends = 0;
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const Move& move : table->moves) {
      if (table->find(move.to)->is_open()) continue;
      for (const std::string_view from : move.from) {
        Bench b;
        const JobId id = b.reach(*table, from);
        Ask ask = b.draft(id, move.on);
        ask.due_at = b.now() + 1h;  // Ignored at an end.
        REQUIRE(b.after(7s).ask(ask).has_value());

        CAPTURE(table->name);
        CAPTURE(from);
        const Job job = b.job(id);
        CHECK_FALSE(bool{job.worker});
        CHECK_FALSE(job.due_at.has_value());
        CHECK((job.ended_at == b.now()));
        CHECK((job.moved_at == b.now()));
        ++ends;
      }
    }
  CHECK(ends == 29);
}

TEST_CASE("S1-3: every move sets moved_at and due_at: now, or when the ask says") {
  Bench b;
  const JobId id = b.add(kBook);
  b.after(5s);
  move(b, id, On::started);
  CHECK((b.job(id).moved_at == b.now()));
  CHECK((b.job(id).due_at == b.now()));

  const JobId relay = b.reach(kRelay, "DOWNLOADING");
  Ask ask = b.draft(relay, On::requeue);
  ask.due_at = b.now() + 4s;
  REQUIRE(b.ask(ask).has_value());
  CHECK((b.job(relay).due_at == b.now() + 4s));
}

TEST_CASE("S3-4: the last reason stays in sight while a job goes on, until the next one") {
  Bench b;
  const JobId id = b.reach(kRelay, "DOWNLOADING");
  move(b, id, On::requeue, "timeout", "30 s");
  for (const On on : {On::claim, On::start}) {
    CHECK(trouble(b, id) == "timeout|30 s");
    move(b, id, on);
  }

  move(b, id, On::requeue, "http_503");

  CHECK(trouble(b, id) == "http_503|");
}

TEST_CASE("an end without a reason clears the last one, an end with its own keeps that") {
  Bench b;
  const JobId delivered = b.reach(kRelay, "DOWNLOADING");
  move(b, delivered, On::requeue, "timeout", "30 s");
  for (const On on : {On::claim, On::start, On::stream, On::ack}) move(b, delivered, on);
  const JobId failed = b.reach(kRelay, "DOWNLOADING");
  move(b, failed, On::requeue, "timeout", "30 s");
  for (const On on : {On::claim, On::start}) move(b, failed, on);
  move(b, failed, On::fail, "http_404", "gone");

  CHECK(trouble(b, delivered) == "|");
  CHECK(trouble(b, failed) == "http_404|gone");
}

TEST_CASE("S4-5: a result is kept with the move that brings it, and by the moves after") {
  Bench b;
  const JobId image = b.reach(kImage, "running");
  Ask landed = b.draft(image, On::landed);
  landed.result = "/api/v1/jobs/1/result";
  REQUIRE(b.ask(landed).has_value());
  CHECK(b.job(image).result == "/api/v1/jobs/1/result");

  const JobId media = b.reach(kMedia, "completed");
  Ask imported = b.draft(media, On::landed);
  imported.result = "/library/film";
  REQUIRE(b.ask(imported).has_value());
  move(b, media, On::verified);
  CHECK(b.job(media).result == "/library/film");
}

TEST_CASE("F06, promise 4: an ask that has not seen a loss cannot take its attempt back") {
  Bench b;
  const JobId id = b.reach(kMedia, "completed");
  const Ask cancel = b.draft(id, On::cancel);  // A user sends it later, from a page loaded now.
  const Rescued rescued =
      b.jobs().rescue({.worker = b.worker(), .beat = 0, .lifecycle = &kMedia}, {}, b.now());
  REQUIRE(rescued.adopted == 1);
  REQUIRE(b.version(id).attempt == 1);

  const MoveAnswer answer = b.ask(cancel);

  CHECK(b.version(id).attempt == 1);
  CHECK((!answer || answer->attempt == 1));
}

TEST_CASE("observe: what was seen is kept, what was not stays, and the state with it") {
  Bench b;
  const JobId id = b.add(kBook);
  Observation seen{.version = b.version(id),
                   .due_at = b.now() + 15s,
                   .engine = "qbittorrent",
                   .handle = "hash",
                   .reason = "asset_pending",
                   .missing_since = std::optional{b.now()}};
  REQUIRE(b.after(1s).jobs().observe({&seen, 1}, b.now())[0]);
  Job expected = b.job(id);
  CHECK((expected.due_at == seen.due_at));
  CHECK(expected.engine + expected.handle + expected.reason == "qbittorrenthashasset_pending");
  CHECK((expected.missing_since == b.now() - 1s));
  CHECK((expected.version == seen.version));

  seen = {.version = b.version(id)};
  REQUIRE(b.after(1s).jobs().observe({&seen, 1}, b.now())[0]);

  expected.seen_at = b.now();
  CHECK((b.job(id) == expected));
  CHECK(b.event_types(id) == "ADDED");
}

TEST_CASE("S0-25: an empty handle forgets the one that was learned") {
  Bench b;
  const JobId id = b.add(kBook);
  Observation seen{.version = b.version(id), .handle = "hash"};
  REQUIRE(b.jobs().observe({&seen, 1}, b.now())[0]);
  CHECK(b.job(id).handle == "hash");

  seen.handle = "";
  REQUIRE(b.jobs().observe({&seen, 1}, b.now())[0]);

  CHECK(b.job(id).handle.empty());
}

TEST_CASE("S0-9: a mark is cleared by saying so, and only by that") {
  Bench b;
  const JobId id = b.add(kBook);
  Observation seen{.version = b.version(id), .missing_since = std::optional{b.now()}};
  REQUIRE(b.jobs().observe({&seen, 1}, b.now())[0]);
  seen.missing_since.reset();
  REQUIRE(b.jobs().observe({&seen, 1}, b.now())[0]);
  CHECK(b.job(id).missing_since.has_value());

  seen.missing_since = std::optional<Time>{};
  REQUIRE(b.jobs().observe({&seen, 1}, b.now())[0]);
  CHECK_FALSE(b.job(id).missing_since.has_value());
}

TEST_CASE("S0-21: a state a job has come back to is not the one it was seen in") {
  Bench b;
  const JobId id = b.add(kMedia);
  const JobVersion before = b.version(id);
  for (const On on : {On::fail, On::retry}) move(b, id, on);
  REQUIRE(b.version(id).state == before.state);

  const Observation seen{.version = before, .handle = "hash"};
  CHECK_FALSE(b.jobs().observe({&seen, 1}, b.now())[0]);
  CHECK(b.jobs().pause(before, b.now()).error().code == "stale");

  CHECK(b.job(id).handle.empty());
  CHECK_FALSE(b.job(id).paused);
}

TEST_CASE("an observation that forbids a pause is dropped while the job is paused, and only then") {
  Bench b;
  const JobId id = b.add(kBook);
  const Observation any{.version = b.version(id), .worker = {}, .reason = "any"};
  Observation unless_paused = any;
  unless_paused.reason = "unless_paused";
  unless_paused.unless_paused = true;
  CHECK(b.jobs().observe({&unless_paused, 1}, b.now())[0]);
  REQUIRE(b.jobs().pause(b.version(id), b.now()).has_value());

  CHECK(b.jobs().observe({&any, 1}, b.now())[0]);
  CHECK_FALSE(b.jobs().observe({&unless_paused, 1}, b.now())[0]);
  CHECK(b.job(id).reason == "any");

  REQUIRE(b.jobs().resume(b.version(id), b.now()).has_value());
  CHECK(b.jobs().observe({&unless_paused, 1}, b.now())[0]);
}

TEST_CASE(
    "S0-21, S0-17: an observation of what a job no longer is, or of an ended one, is dropped") {
  Bench b;
  const JobId moved = b.add(kBook);
  const JobId ended = b.reach(kBook, "failed");
  const JobId leased = b.reach(kBatch, "RUNNING");
  const JobId fresh = b.add(kBook);
  std::vector<Observation> seen;
  for (const JobId id : {moved, ended, leased, fresh})
    seen.push_back({.version = b.version(id), .handle = "hash"});
  REQUIRE(b.ask(moved, On::started).has_value());

  // `leased` has a holder, and its observation does not name it.
  CHECK(b.jobs().observe(seen, b.now()) == std::vector{false, false, false, true});

  for (const JobId id : {moved, ended, leased}) CHECK(b.job(id).handle.empty());
  CHECK(b.job(fresh).handle == "hash");
}

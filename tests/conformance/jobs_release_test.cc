// Jobs::release gives a lease back and counts no attempt; pause and resume keep a job from being
// claimed.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

std::string code(const MoveAnswer& answer) { return answer ? "ok" : answer.error().code; }

MoveAnswer release(Bench& b, const Release& release) {
  return b.jobs().release({&release, 1}, b.now()).front();
}

Release release_of(Bench& b, JobId id, const std::string& reason = "released") {
  return {.version = b.version(id), .worker = b.job(id).worker, .reason = reason};
}

struct Leased {
  const Lifecycle* table;
  std::string_view state;
};

std::vector<Leased> leased_states() {
  std::vector<Leased> found;
  for (const Lifecycle* table : {&kMedia, &kBatch, &kRelay, &kImage})
    for (const State& state : table->states)
      if (state.is_leased()) found.push_back({table, state.name});
  return found;
}

}  // namespace

TEST_CASE("A3-9, Z-8, F55: a release leaves every leased state without lease or attempt, due now") {
  for (const auto& [table, state] : leased_states()) {
    Bench b;
    const JobId id = b.reach(*table, state);
    const JobVersion before = b.version(id);

    const MoveAnswer answer = release(b.after(2s), release_of(b, id));

    CAPTURE(table->name);
    CAPTURE(state);
    REQUIRE(answer.has_value());
    const Job job = b.job(id);
    CHECK((*answer == job.version));
    CHECK_FALSE(bool{job.worker});
    CHECK((job.due_at == b.now()));
    CHECK(job.version.attempt == before.attempt);
    CHECK(job.version.fence == before.fence);
    CHECK(job.reason == "released");
  }
}

TEST_CASE("A3-9, Z-8: a release is a move where the state has one") {
  Bench b;
  const JobId batch = b.reach(kBatch, "RUNNING");
  const JobId relay = b.reach(kRelay, "STREAMING");
  for (const JobId id : {batch, relay}) CHECK(code(release(b, release_of(b, id))) == "ok");

  CHECK(b.trail(batch) == "PENDING > RUNNING > PENDING");
  CHECK(b.trail(relay) == "QUEUED > CLAIMED > DOWNLOADING > STREAMING > QUEUED");
  const Event event = b.store().events().of(relay, {}, 100).back();
  CHECK(event.on + " " + event.by + " " + event.reason == "release system released");
}

TEST_CASE("A1-8, 004: media and image stay in their state, unleased, and a note says so") {
  for (const auto& [table, state] :
       {Leased{&kMedia, "completed"}, {&kMedia, "imported"}, {&kImage, "running"}}) {
    Bench b;
    const JobId id = b.reach(*table, state);
    const Job before = b.job(id);

    CHECK(code(release(b.after(1s), release_of(b, id))) == "ok");

    CHECK((b.version(id) == before.version));
    CHECK((b.job(id).moved_at == before.moved_at));
    CHECK(b.store().events().of(id, {}, 100).back().type == "RELEASED");
  }
}

TEST_CASE(
    "Z-8: an environment fault is a release with its own reason, due in 30 s, without JOB_ERROR") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");
  Release back = release_of(b, id, "disk_full");
  back.due_at = b.now() + 30s;

  CHECK(code(release(b, back)) == "ok");

  CHECK(b.job(id).reason == "disk_full");
  CHECK((b.job(id).due_at == b.now() + 30s));
  CHECK(b.event_types(id) == "JOB_ADDED MOVED JOB_STARTED MOVED");
}

TEST_CASE("F03: a release with a stale seq, fence or worker is refused, the lease stays") {
  for (const auto& [table, state] : leased_states()) {
    Bench b;
    const JobId id = b.reach(*table, state);
    const WorkerId other = b.store().workers().enlist("other", b.now());
    const Job before = b.job(id);
    const Release good = release_of(b, id);

    CAPTURE(table->name);
    Release bad = good;
    bad.version.fence -= 1;
    CHECK(code(release(b, bad)) == "stale");
    bad = good;
    bad.version.seq += 1;
    CHECK(code(release(b, bad)) == "stale");
    bad = good;
    bad.worker = other;
    CHECK(code(release(b, bad)) == "stale");
    CHECK((b.job(id) == before));
    CHECK(code(release(b, good)) == "ok");
    CHECK(code(release(b, good)) == "stale");
  }
}

TEST_CASE("F03: a release that names no worker gives nothing back") {
  for (const auto& [table, state] : leased_states()) {
    Bench b;
    const JobId id = b.reach(*table, state);
    Release without_worker = release_of(b, id);
    without_worker.worker = {};

    CAPTURE(table->name);
    CAPTURE(state);
    CHECK_FALSE(release(b, without_worker).has_value());
    CHECK(bool{b.job(id).worker});
  }
}

TEST_CASE("a release without a reason keeps the last one in sight, in every leased state") {
  for (const auto& [table, state] : leased_states()) {
    Bench b;
    const JobId id = b.reach(*table, state);
    const Observation seen{
        .version = b.version(id), .worker = b.job(id).worker, .reason = "provider_slow"};
    REQUIRE(b.jobs().observe({&seen, 1}, b.now())[0]);

    CHECK(code(release(b, release_of(b, id, ""))) == "ok");

    CAPTURE(table->name);
    CHECK(b.job(id).reason == "provider_slow");
  }
}

TEST_CASE("a release with a reason brings its detail; an old detail does not stay with it") {
  for (const auto& [table, state] : leased_states()) {
    Bench b;
    const JobId id = b.reach(*table, state);
    const Observation seen{.version = b.version(id),
                           .worker = b.job(id).worker,
                           .reason = "provider_slow",
                           .detail = "for 10 s"};
    REQUIRE(b.jobs().observe({&seen, 1}, b.now())[0]);
    CAPTURE(table->name);
    CAPTURE(state);

    Release back = release_of(b, id, "");
    back.detail = "not shown";
    CHECK(code(release(b, back)) == "ok");
    CHECK(b.job(id).reason + ": " + b.job(id).detail == "provider_slow: for 10 s");

    b.claim(*table);
    back = release_of(b, id, "disk_full");
    back.detail = "0 bytes left";
    CHECK(code(release(b, back)) == "ok");
    CHECK(b.job(id).reason + ": " + b.job(id).detail == "disk_full: 0 bytes left");

    b.claim(*table);
    CHECK(code(release(b, release_of(b, id, "released"))) == "ok");
    CHECK(b.job(id).reason + ": " + b.job(id).detail == "released: ");
  }
}

TEST_CASE("a job that is not leased has nothing to release") {
  Bench b;
  const JobId queued = b.add(kRelay);
  const JobId ended = b.reach(kRelay, "DELIVERED");

  for (const JobId id : {queued, ended}) {
    const Release back{.version = b.version(id), .worker = b.worker()};
    CHECK_FALSE(release(b, back).has_value());
  }
}

TEST_CASE("releases of a batch are answered one by one, in order") {
  Bench b;
  const JobId one = b.reach(kRelay, "CLAIMED");
  const JobId two = b.reach(kRelay, "STREAMING");
  std::vector<Release> releases{release_of(b, one), release_of(b, one), release_of(b, two)};

  const auto answers = b.jobs().release(releases, b.now());

  CHECK(code(answers[0]) == "ok");
  CHECK(code(answers[1]) == "stale");
  CHECK(code(answers[2]) == "ok");
}

TEST_CASE("Z-22: pause and resume set a flag and a note; state, seq, fence and due time stay") {
  Bench b;
  const JobId id = b.add(kBatch);
  Job expected = b.job(id);

  CHECK((b.after(1s).jobs().pause(b.version(id), b.now()) == expected.version));
  expected.paused = true;
  CHECK((b.job(id) == expected));
  CHECK((b.jobs().resume(b.version(id), b.now()) == expected.version));
  expected.paused = false;

  CHECK((b.job(id) == expected));
  CHECK(b.event_types(id) == "JOB_ADDED PAUSED RESUMED");
}

TEST_CASE("pause: a leased job is refused, and can be paused once its lease is given back") {
  for (const auto& [table, state] : leased_states()) {
    Bench b;
    const JobId id = b.reach(*table, state);

    CAPTURE(table->name);
    CHECK(code(b.jobs().pause(b.version(id), b.now())) == "leased");
    CHECK_FALSE(b.job(id).paused);
    REQUIRE(release(b, release_of(b, id)).has_value());
    CHECK(code(b.jobs().pause(b.version(id), b.now())) == "ok");
  }
}

TEST_CASE("pause: a wish is granted with the release, both or neither; taken back it is not") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");
  const Intent wish = b.store().intents().record(id, {.kind = "pause"}, b.now()).value();
  Release back{
      .version = b.version(id), .worker = b.worker(), .reason = "paused", .pause = wish.id};
  back.version.fence += 1;
  CHECK_FALSE(b.jobs().release({&back, 1}, b.now()).front().has_value());
  CHECK((b.store().intents().of(id, 9).front().state == IntentState::open));
  back.version = b.version(id);
  REQUIRE(b.jobs().release({&back, 1}, b.now()).front().has_value());
  CHECK(b.job(id).paused);
  CHECK(b.trail(id) == "PENDING > RUNNING > PENDING");
  CHECK((b.store().intents().of(id, 9).front().state == IntentState::done));

  const JobId other = b.reach(kBatch, "RUNNING");
  const Intent late = b.store().intents().record(other, {.kind = "pause"}, b.now()).value();
  b.store().intents().settle(late.id, IntentState::failed, "taken_back", b.now());
  const Release free{
      .version = b.version(other), .worker = b.worker(), .reason = "paused", .pause = late.id};
  REQUIRE(b.jobs().release({&free, 1}, b.now()).front().has_value());
  CHECK_FALSE(b.job(other).paused);
  CHECK(code(b.jobs().grant_pause(b.version(other), late.id, b.now())) == "taken_back");
  CHECK(code(b.jobs().grant_pause(b.version(other), wish.id, b.now())) == "taken_back");
}

TEST_CASE("pause: an ended job is refused, one seen as it no longer is too; neither is noted") {
  Bench b;
  const JobId ended = b.reach(kBook, "canceled");
  const JobId moved = b.add(kBook);
  const JobVersion before = b.version(moved);
  REQUIRE(b.ask(moved, On::started).has_value());

  CHECK(code(b.jobs().pause(b.version(ended), b.now())) == "ended");
  CHECK(code(b.jobs().resume(b.version(ended), b.now())) == "ended");
  CHECK(code(b.jobs().pause(before, b.now())) == "stale");

  CHECK(b.event_types(ended) == "ADDED MOVED");
  CHECK(b.event_types(moved) == "ADDED MOVED");
}

TEST_CASE("a paused job can be cancelled and still moves") {
  Bench b;
  const JobId id = b.add(kBatch);
  REQUIRE(b.jobs().pause(b.version(id), b.now()).has_value());

  CHECK(code(b.ask(id, On::cancel)) == "ok");
}

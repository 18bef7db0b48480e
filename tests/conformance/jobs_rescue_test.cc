// Jobs::rescue: what happens to the jobs of a worker that stopped beating (F04, F06, S3-7, S2-27).

#include <doctest/doctest.h>

#include <array>
#include <utility>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

double even() { return 0.5; }  // No jitter.

Rescued rescue(Bench& b, const Lifecycle& table, WorkerId worker, std::size_t limit = 1000) {
  const std::int64_t beat = b.store().workers().find(worker).value().beat;
  return b.jobs().rescue({.worker = worker, .beat = beat, .lifecycle = &table, .limit = limit},
                         even, b.now());
}

// "1 moved", "2 adopted 1 failed", …
std::string shown(const Rescued& done) {
  std::string text;
  const auto add = [&](std::size_t count, const char* what) {
    if (count) text += (text.empty() ? "" : " ") + std::to_string(count) + " " + what;
  };
  add(done.moved, "moved");
  add(done.adopted, "adopted");
  add(done.failed, "failed");
  return text.empty() ? "nothing" : text;
}

std::string last_move(Bench& b, JobId id) {
  std::string text;
  for (const Event& e : b.store().events().of(id, {}, kListMax))
    if (e.type == "MOVED") text = e.from + ">" + e.to + " " + e.on + " " + e.by + " " + e.reason;
  return text;
}

}  // namespace

TEST_CASE("F04: a worker that has beaten since it was last looked at loses nothing") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  const Silence silence{.worker = b.worker(), .beat = 0, .lifecycle = &kRelay};
  REQUIRE(b.store().workers().beat(b.worker(), b.now()));
  const Job before = b.job(id);

  CHECK(shown(b.jobs().rescue(silence, even, b.now())) == "nothing");

  CHECK((b.job(id) == before));
  CHECK(shown(rescue(b, kRelay, b.worker())) == "1 moved");
}

TEST_CASE("promise 6: a clock that jumps a year does not make a beating worker a lost one") {
  Bench b;
  b.reach(kRelay, "STREAMING");
  const Silence silence{.worker = b.worker(), .beat = 0, .lifecycle = &kRelay};
  REQUIRE(b.store().workers().beat(b.worker(), b.now()));

  CHECK(shown(b.after(8760h).jobs().rescue(silence, even, b.now())) == "nothing");
}

TEST_CASE("an unknown worker has nothing to lose") {
  Bench b;
  b.reach(kRelay, "STREAMING");

  const Silence silence{.worker = WorkerId{99}, .beat = 0, .lifecycle = &kRelay};
  CHECK(shown(b.jobs().rescue(silence, even, b.now())) == "nothing");
}

TEST_CASE("S3-7, A3-2: a lost relay goes back to QUEUED from each state, attempt + 1, due now") {
  for (const char* state : {"CLAIMED", "DOWNLOADING", "STREAMING"}) {
    Bench b;
    const JobId id = b.reach(kRelay, state);
    const JobVersion before = b.version(id);

    CHECK(shown(rescue(b.after(1min), kRelay, b.worker())) == "1 moved");

    const Job job = b.job(id);
    CHECK((job.version == JobVersion{id, &kRelay, "QUEUED", before.seq + 1, before.fence, 1}));
    CHECK_FALSE(bool{job.worker});
    CHECK((job.due_at == b.now()));
    CHECK(job.reason == "worker_lost");
    CHECK(last_move(b, id) == state + std::string{">QUEUED lost system worker_lost"});
  }
}

TEST_CASE("S3-8, Z-12: the third loss of a relay ends it FAILED with attempt 3, from each state") {
  for (const char* state : {"CLAIMED", "DOWNLOADING", "STREAMING"}) {
    Bench b;
    const JobId id = b.add(kRelay);
    for (int loss = 1; loss <= 3; ++loss) {
      REQUIRE(b.ask(id, On::claim).has_value());
      if (b.version(id).state != state) REQUIRE(b.ask(id, On::start).has_value());
      if (b.version(id).state != state) REQUIRE(b.ask(id, On::stream).has_value());
      CAPTURE(loss);
      CHECK(shown(rescue(b.after(1min), kRelay, b.worker())) ==
            (loss < 3 ? "1 moved" : "1 failed"));
      CHECK(b.version(id).attempt == loss);
    }
    CHECK(b.job(id).version.state == "FAILED");
    CHECK(b.job(id).reason == "worker_crashed");
    CHECK(last_move(b, id) == state + std::string{">FAILED fail system worker_crashed"});
  }
}

TEST_CASE("Z-12: failures and losses of a relay add up to three tries") {
  Bench b;
  const JobId id = b.reach(kRelay, "DOWNLOADING");
  REQUIRE(b.ask(id, On::requeue).has_value());
  REQUIRE(b.ask(id, On::claim).has_value());
  CHECK(shown(rescue(b, kRelay, b.worker())) == "1 moved");
  REQUIRE(b.after(1min).ask(id, On::claim).has_value());

  CHECK(shown(rescue(b, kRelay, b.worker())) == "1 failed");
}

TEST_CASE("Z-7: a batch survives four lost workers; the fifth ends it FAILED, worker_crashed") {
  Bench b;
  const JobId id = b.add(kBatch);
  for (int loss = 1; loss <= 4; ++loss) {
    REQUIRE(b.ask(id, On::claim).has_value());
    CHECK(shown(rescue(b.after(1min), kBatch, b.worker())) == "1 moved");
    CHECK(b.job(id).version.state == "PENDING");
    CHECK(b.version(id).attempt == loss);
  }

  REQUIRE(b.ask(id, On::claim).has_value());
  CHECK(shown(rescue(b.after(1min), kBatch, b.worker())) == "1 failed");

  CHECK(b.job(id).version.state == "FAILED");
  CHECK(b.job(id).reason == "worker_crashed");
  CHECK(b.version(id).attempt == 5);
}

TEST_CASE("A3-9: releases do not count towards the last loss") {
  Bench b;
  const JobId id = b.add(kRelay);
  for (int i = 0; i < 5; ++i) {
    REQUIRE(b.ask(id, On::claim).has_value());
    const Release back{.version = b.version(id), .worker = b.worker()};
    REQUIRE(b.jobs().release({&back, 1}, b.now())[0].has_value());
  }
  REQUIRE(b.ask(id, On::claim).has_value());

  CHECK(shown(rescue(b, kRelay, b.worker())) == "1 moved");
  CHECK(b.version(id).attempt == 1);
}

TEST_CASE("Z-18: a lost media job stays where it is, to be adopted: fence and attempt + 1") {
  for (const char* state : {"completed", "imported"}) {
    Bench b;
    const JobId id = b.reach(kMedia, state);
    JobVersion expected = b.version(id);
    expected.attempt += 1;
    expected.fence += 1;
    const Time moved_at = b.job(id).moved_at;

    CHECK(shown(rescue(b.after(1min), kMedia, b.worker())) == "1 adopted");

    const Job job = b.job(id);
    CHECK((job.version == expected));
    CHECK_FALSE(bool{job.worker});
    CHECK((job.due_at == b.now()));
    CHECK((job.moved_at == moved_at));
    CHECK(job.reason == "worker_lost");
    CHECK(job.detail == "the worker that held it went silent");
    CHECK(b.store().events().of(id, {}, 100).back().type == "LOST");
  }
}

TEST_CASE("F06: the fifth loss of a media job fails it, worker_crashed; the fourth does not") {
  for (const char* state : {"completed", "imported"}) {
    Bench b;
    const JobId id = b.reach(kMedia, state);
    for (int loss = 1; loss <= 4; ++loss) {
      CHECK(shown(rescue(b.after(1min), kMedia, b.worker())) == "1 adopted");
      b.after(1min).claim(kMedia);
    }
    CHECK(b.job(id).version.state == state);
    CHECK(b.version(id).attempt == 4);

    CHECK(shown(rescue(b, kMedia, b.worker())) == "1 failed");
    CHECK(b.job(id).version.state == "failed");
    CHECK(b.version(id).attempt == 5);
    CHECK(b.job(id).reason == "worker_crashed");
  }
}

TEST_CASE("Z-18: a film that waits under its lease loses no attempt with its worker") {
  for (const char* state : {"completed", "imported"}) {
    Bench b;
    const JobId id = b.reach(kMedia, state);
    for (int loss = 1; loss <= 6; ++loss) {  // One more than it has attempts.
      const Observation waits{.version = b.version(id),
                              .worker = b.worker(),
                              .due_at = b.now() + 10min,
                              .reason = "cannot_parse",
                              .waits = true};
      REQUIRE(b.jobs().observe({&waits, 1}, b.now())[0]);
      const std::int64_t fence = b.version(id).fence;

      CHECK(shown(rescue(b.after(1min), kMedia, b.worker())) == "1 adopted");

      const Job job = b.job(id);
      CHECK(job.version.state == state);
      CHECK(job.version.attempt == 0);
      CHECK(job.version.fence == fence + 1);
      CHECK_FALSE(bool{job.worker});
      CHECK((job.due_at == b.now()));
      CHECK(job.reason == "cannot_parse");
      CHECK(b.store().events().of(id, {}, 100).back().type == "RELEASED");
      b.after(1s).claim(kMedia);
    }
  }
}

TEST_CASE("Z-18: what ends a film's wait makes the next loss count: a turn, a lease, a move") {
  enum class EndedBy : std::uint8_t { turn, lease, move };
  for (const EndedBy ended : {EndedBy::turn, EndedBy::lease, EndedBy::move}) {
    CAPTURE(static_cast<int>(ended));
    Bench b;
    const JobId id = b.reach(kMedia, "completed");
    Observation waits{.version = b.version(id), .worker = b.worker(), .waits = true};
    REQUIRE(b.jobs().observe({&waits, 1}, b.now())[0]);
    if (ended == EndedBy::turn) {
      waits.waits = false;
      REQUIRE(b.jobs().observe({&waits, 1}, b.now())[0]);
    } else if (ended == EndedBy::lease) {
      const Release back{.version = b.version(id), .worker = b.worker()};
      REQUIRE(b.jobs().release({&back, 1}, b.now())[0].has_value());
      b.after(1s).claim(kMedia);
    } else {
      REQUIRE(b.ask(id, On::landed).has_value());
    }
    REQUIRE((b.job(id).worker == b.worker()));

    CHECK(shown(rescue(b, kMedia, b.worker())) == "1 adopted");
    CHECK(b.version(id).attempt == 1);
  }
}

TEST_CASE("Z-18: what is observed of a film beside its wait does not end the wait") {
  Bench b;
  const JobId id = b.reach(kMedia, "completed");
  Observation seen{.version = b.version(id), .worker = b.worker(), .waits = true};
  REQUIRE(b.jobs().observe({&seen, 1}, b.now())[0]);
  seen.waits.reset();
  seen.detail = "the client still shares it";
  REQUIRE(b.jobs().observe({&seen, 1}, b.now())[0]);

  CHECK(shown(rescue(b, kMedia, b.worker())) == "1 adopted");
  CHECK(b.version(id).attempt == 0);
}

TEST_CASE(
    "S4-15: a lost image fails with attempt + 1 and waits for its timer, also the third time") {
  Bench b;
  const JobId id = b.add(kImage);
  for (std::size_t loss = 1; loss <= 3; ++loss) {
    REQUIRE(b.ask(id, On::claim).has_value());
    CHECK(shown(rescue(b.after(1min), kImage, b.worker())) == "1 moved");
    CHECK(b.job(id).version.state == "failed");
    CHECK(std::cmp_equal(b.version(id).attempt, loss));
    CHECK((b.job(id).due_at == b.now() + std::array{2s, 4s, 8s}.at(loss - 1)));
    if (loss < 3) REQUIRE(b.ask(id, On::requeue).has_value());
  }

  CHECK(b.ask(id, On::requeue).error().code == "attempts_spent");
  CHECK(b.ask(id, On::give_up).has_value());
}

TEST_CASE("a timed wait after a loss is moved by chance; without a chance the job is due now") {
  const auto waits = [](const Chance& chance) {
    Bench b;
    const JobId id = b.reach(kImage, "running");
    const Silence silence{.worker = b.worker(), .beat = 0, .lifecycle = &kImage};
    REQUIRE(b.jobs().rescue(silence, chance, b.now()).moved == 1);
    return *b.job(id).due_at - b.now();
  };

  CHECK((waits([] { return 0.0; }) == 1'600ms));
  CHECK((waits([] { return 1.0; }) == 2'400ms));
  CHECK((waits({}) == 0ms));
}

TEST_CASE("Z-29: a film that failed and was retried four times survives its next lost importer") {
  Bench b;
  const JobId id = b.add(kMedia);
  for (int i = 1; i <= 4; ++i) {
    REQUIRE(b.ask(id, On::fail).has_value());
    CHECK(b.version(id).attempt == 1);
    REQUIRE(b.ask(id, On::retry).has_value());
    CHECK(b.version(id).attempt == 0);
    CHECK(b.job(id).retries == i);
  }
  REQUIRE(b.ask(id, On::started).has_value());
  REQUIRE(b.ask(id, On::fetched).has_value());
  b.claim(kMedia);

  CHECK(shown(rescue(b, kMedia, b.worker())) == "1 adopted");
  CHECK(b.version(id).attempt == 1);
  CHECK(b.job(id).retries == 4);
}

TEST_CASE("S3-9: only that worker's and only that lifecycle's jobs are taken away") {
  Bench b;
  const JobId lost = b.reach(kRelay, "CLAIMED");
  const JobId batch = b.reach(kBatch, "RUNNING");
  b.add(kRelay);
  const WorkerId other = b.store().workers().enlist("other", b.now());
  const auto theirs = b.jobs().claim({.lifecycle = &kRelay, .worker = other, .limit = 1}, b.now());
  REQUIRE(theirs.size() == 1);

  CHECK(shown(rescue(b, kRelay, b.worker())) == "1 moved");

  CHECK(b.job(lost).version.state == "QUEUED");
  CHECK((b.job(batch).worker == b.worker()));
  CHECK((b.job(theirs[0].version.id).worker == other));
}

TEST_CASE("a rescue takes at most its limit; the next one takes the rest") {
  Bench b;
  for (int i = 0; i < 5; ++i) b.reach(kRelay, "CLAIMED");

  CHECK(shown(rescue(b, kRelay, b.worker(), 2)) == "2 moved");
  CHECK(shown(rescue(b, kRelay, b.worker(), 4000)) == "3 moved");
  CHECK(shown(rescue(b, kRelay, b.worker())) == "nothing");
  CHECK_THROWS_AS(rescue(b, kRelay, b.worker(), 4001), StoreFault);
}

TEST_CASE("F04: a job that was finished before the rescue stays finished") {
  Bench b;
  const JobId id = b.reach(kRelay, "DELIVERED");
  const Job before = b.job(id);

  CHECK(shown(rescue(b, kRelay, b.worker())) == "nothing");

  CHECK((b.job(id) == before));
}

// The time before which a new job does not begin: NewJob::due_at.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

JobId add_for(Bench& b, const Lifecycle& table, Time due) {
  const NewJob job{.lifecycle = &table, .request = request_for(table), .due_at = due};
  return b.jobs().add({&job, 1}, b.now()).front().value().id;
}

void postpone(Bench& b, JobId id, Time due) {
  const Observation later{.version = b.version(id), .due_at = due};
  REQUIRE(b.jobs().observe({&later, 1}, b.now()).front());
}

std::size_t recall(Bench& b) { return b.jobs().recall(b.now() + kWaitMax, b.now()); }

}  // namespace

TEST_CASE("a recall makes no job due before its own time") {
  Bench b;
  const Time begin = b.now() + 2h;
  const JobId id = add_for(b, kBatch, begin);
  const JobId other = b.add(kBatch);

  CHECK(recall(b) == 0);
  CHECK(b.job(id).due_at == begin);

  postpone(b, id, b.now() + 24h);
  postpone(b, other, b.now() + 24h);
  CHECK(recall(b) == 2);
  CHECK(b.job(id).due_at == begin);
  CHECK(b.job(other).due_at == b.now());
  CHECK(recall(b) == 0);
}

TEST_CASE("a recall makes a job due at once whose own time is over") {
  Bench b;
  const JobId id = add_for(b, kBatch, b.now() + 2h);
  b.after(2h + 1ms);
  postpone(b, id, b.now() + 24h);
  CHECK(recall(b) == 1);
  CHECK(b.job(id).due_at == b.now());
}

TEST_CASE("neither a resume nor a wish makes a job due before its own time") {
  Bench b;
  const Time begin = b.now() + 2h;
  const JobId id = add_for(b, kMedia, begin);
  REQUIRE(b.jobs().pause(b.version(id), b.now()));
  REQUIRE(b.jobs().resume(b.version(id), b.now()));
  CHECK(b.job(id).due_at == begin);

  const NewWish said{.kind = kImportIntent,
                     .data = "{}",
                     .note = "IMPORT_ASKED",
                     .note_data = "{}",
                     .makes_due = true};
  REQUIRE(b.store().intents().wish(b.version(id), said, b.now()));
  CHECK(b.job(id).due_at == begin);
}

TEST_CASE("S1-14: a job whose time has not come is not stuck, and is once it waits for too long") {
  Bench b;
  const JobId id = add_for(b, kBatch, b.now() + 24h);
  const std::vector<StuckRule> rules{{"batch", b.job(id).version.state.data(), 60s}};
  const auto stuck = [&] { return b.store().reader().stuck(rules, b.now(), 10).size(); };

  b.after(24h + 60s);
  CHECK(stuck() == 0);
  CHECK_FALSE(is_stuck(rules, b.job(id), b.now()));
  b.after(1ms);
  CHECK(stuck() == 1);
  CHECK(is_stuck(rules, b.job(id), b.now()));
}

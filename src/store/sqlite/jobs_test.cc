#include "store/jobs.h"

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

TEST_CASE("a job added to an empty store is open, due now, at seq 0 in its first state") {
  Bench b;

  const JobId id = b.add(kBook);

  const Job job = b.job(id);
  CHECK(job.version.state == "queued");
  CHECK(job.version.seq == 0);
  CHECK(job.due_at == b.now());
  CHECK(b.trail(id) == "queued");
}

TEST_CASE("S2-18: a batch writes the document's events in the document's order") {
  Bench b;
  const JobId id = b.add(kBatch);

  b.claim(kBatch);
  CHECK(b.ask(id, On::done).has_value());

  CHECK(b.event_types(id) == "JOB_ADDED MOVED JOB_STARTED MOVED JOB_DONE");
  CHECK(b.trail(id) == "PENDING > RUNNING > COMPLETED");
}

TEST_CASE("every state of every job lifecycle can be reached by its own moves") {
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const State& state : table->states) {
      Bench b;
      const JobId id = b.reach(*table, state.name);
      CHECK(b.job(id).version.state == state.name);
      CHECK(bool{b.job(id).worker} == state.is_leased());
    }
}

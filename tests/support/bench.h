#pragma once
// A workbench for tests of the store: a real SQLite, a clock the test turns, and short words for
// what every test needs.

#include <memory>
#include <string>

#include "lifecycle/tables.h"
#include "store/store.h"

namespace haul::testing {

// What the smallest acceptable request of a lifecycle looks like.
std::string request_for(const Lifecycle& table, int number = 1);

class Bench {
 public:
  Bench() : Bench{open_sqlite_in_memory(kStart)} {}
  explicit Bench(std::unique_ptr<Store> store);

  static constexpr Time kStart = from_unix_ms(1'770'000'000'000);  // 2026-02-02 02:40:00

  Store& store() { return *store_; }
  Jobs& jobs() { return store_->jobs(); }
  Reader& reader() { return store_->reader(); }
  WorkerId worker() const { return worker_; }

  Time now() const { return now_; }
  Bench& after(Millis passed) {
    now_ += passed;
    return *this;
  }

  // Adds a job with the lifecycle's own kind of request; throws if it is refused.
  JobId add(const Lifecycle& table);
  AddAnswer add(const NewJob& job) { return jobs().add({&job, 1}, now_).front(); }

  Job job(JobId id) { return reader().find(id).value(); }
  Seen seen(JobId id) { return job(id).seen; }
  Hold hold(JobId id) { return {id, job(id).worker, seen(id).fence}; }

  // Asks for a move by whoever the table says, with the proof and facts it needs.
  MoveAnswer ask(JobId id, On on);
  MoveAnswer ask(const Ask& ask) { return jobs().move({&ask, 1}, now_).front(); }
  // The ask that `ask(id, on)` makes, for a test that wants to spoil it.
  Ask draft(JobId id, On on);

  Claim claim(const Lifecycle& table);

  // A fresh job brought to a state along the shortest path of moves; leased if the state is.
  JobId reach(const Lifecycle& table, std::string_view state);

  // "queued > downloading > failed": the states a job went through, read from its events.
  std::string trail(JobId id);
  // "JOB_ADDED MOVED JOB_STARTED": the types of its events, in order.
  std::string event_types(JobId id);

 private:
  std::unique_ptr<Store> store_;
  Time now_ = kStart;
  WorkerId worker_;
  int added_ = 0;
};

}  // namespace haul::testing

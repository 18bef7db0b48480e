#pragma once
// A bench for tests of the store: a real SQLite, a clock the test turns, and short forms of the
// calls every test makes.

#include <memory>
#include <string>

#include "lifecycle/tables.h"
#include "store/store.h"
#include "support/store/test_store.h"

namespace haul::testing {

// The smallest request that a lifecycle accepts.
std::string request_for(const Lifecycle& table, int number = 1);

class Bench {
 public:
  Bench() : Bench{open_test_store(kStart)} {}
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

  // Adds a job with the smallest request of its lifecycle. Throws if the store refuses it.
  JobId add(const Lifecycle& table);
  AddAnswer add(const NewJob& job) { return jobs().add({&job, 1}, now_).front(); }

  Job job(JobId id) { return reader().find(id).value(); }
  JobVersion version(JobId id) { return job(id).version; }
  Hold hold(JobId id) { return {id, job(id).worker, version(id).fence}; }

  // Asks for a move in the role the table allows, with the proof and facts the move needs.
  MoveAnswer ask(JobId id, On on);
  MoveAnswer ask(const Ask& ask) { return jobs().move({&ask, 1}, now_).front(); }
  // The ask that `ask(id, on)` sends, for a test that wants to change a part of it.
  Ask draft(JobId id, On on);

  Claim claim(const Lifecycle& table);

  // Adds a job and moves it to a state along the shortest path. Leased if the state is.
  JobId reach(const Lifecycle& table, std::string_view state);

  // The states a job went through, read from its events: "queued > downloading > failed".
  std::string trail(JobId id);
  // The types of a job's events, in order: "JOB_ADDED MOVED JOB_STARTED".
  std::string event_types(JobId id);

 private:
  std::unique_ptr<Store> store_;
  Time now_ = kStart;
  WorkerId worker_;
  int added_ = 0;
};

}  // namespace haul::testing

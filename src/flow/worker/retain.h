#pragma once
// Removes old records: events of jobs that ended long ago, idempotency keys of lists of jobs, hosts
// that no job asks any more, ended sessions, workers that are long silent. A round begins every
// hour and consists of short steps, because they share the worker's thread and the store's one
// writer with all other work.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "store/store.h"

namespace haul::flow {

class Retention {
 public:
  Retention(Store& store, const Clock& clock) : store_{store}, clock_{clock} {}

  // Every record from before this wall-clock time is older than `age`. Nothing if haul has not run
  // for that long.
  using Before = std::function<std::optional<Time>(Millis age)>;

  // Whether this worker still has the duty. Asked before each step.
  using MayWrite = std::function<bool()>;

  // Runs stages until one finds work, if a step is due. Cheap if none is.
  void run(const Before& before, const MayWrite& may_write);

 private:
  enum class Stage : std::uint8_t { idle, events, keys, hosts, sessions, deliveries, workers };

  // Runs one step of the current stage and sets the stage of the next. True if it found work, so
  // that this run ends; false if the next stage can follow at once.
  bool step(const Before& before);
  void measure(Millis took);

  Store& store_;
  const Clock& clock_;
  Stage stage_ = Stage::idle;
  std::optional<Steady> began_;    // When the last round began.
  std::optional<Steady> stepped_;  // When the last step began.
  std::size_t rows_ = 1'000;       // Rows per step.
  EventId event_;                  // The last one that the events stage read.
  std::string host_;               // The last one that the hosts stage read.
};

}  // namespace haul::flow

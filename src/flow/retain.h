#pragma once
// Forgets what is old: events of jobs that ended long ago, keys of many adds, hosts nobody asks any
// more, sessions that are over, workers long silent. A round begins every hour and goes on in short
// steps, because the steps share the worker's thread and the store's one writer with everything
// else.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "store/store.h"

namespace haul {

class Retention {
 public:
  Retention(Store& store, const Clock& clock) : store_{store}, clock_{clock} {}

  // The wall time before which all is older than this age; nothing: haul has not run for that long.
  using Before = std::function<std::optional<Time>(Millis age)>;

  // Goes on until a step has found work, if one is due; cheap when none is.
  void run(const Before& before);

 private:
  enum class Stage : std::uint8_t { idle, events, keys, hosts, sessions, workers };

  // True: there is more of the same. Otherwise the next stage begins.
  bool step(const Before& before);
  void measure(Millis took);

  Store& store_;
  const Clock& clock_;
  Stage stage_ = Stage::idle;
  std::optional<Steady> began_;    // The last round.
  std::optional<Steady> stepped_;  // The last step.
  std::size_t rows_ = 1'000;       // Looked at in one step.
  EventId event_;                  // The last that the events stage looked at.
  std::string host_;               // The last that the hosts stage looked at.
};

}  // namespace haul

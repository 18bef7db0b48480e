#pragma once
// What must happen although nobody asks: beats, rescues, expiry, timers, retention.

#include <map>

#include "flow/desk.h"
#include "flow/retain.h"

namespace haul {

// When nobody else can be alive, because the store was ours alone to open: what earlier workers
// held is taken from them at once instead of after their leases. It counts as lost, unless they
// ended in an outage of the store, which it also ends.
void rescue_everyone(Store& store, Time now);

class Sweep {
 public:
  explicit Sweep(Desk& desk);

  // Does what is due; cheap when nothing is.
  void run();
  // Every other worker has a whole lease again, from now on.
  void forget_silence() { heard_.clear(); }

 private:
  struct Heard {
    std::int64_t beat = 0;
    Steady since;  // When this beat was first seen here.
  };

  void beat();
  void rescue();
  void expire();
  void timers();
  // Makes desk and store agree: what is leased to us and not on the desk goes back, because nobody
  // else would ever take it; what is on the desk and no longer ours leaves it.
  void tidy_desk();
  // When the wall clock went back, what was put off by it is due again.
  void recall();
  // Wall time that a clock set forward cannot hasten: never ahead of what the steady clock allows
  // since this process began (promise 6).
  Time careful_now() const;

  Desk& desk_;
  Retention retention_;
  const Time began_at_;
  const Steady began_;
  std::map<WorkerId, Heard> heard_;
  std::optional<Steady> beaten_;
  std::optional<Steady> swept_;
  std::optional<Steady> recalled_;
  std::optional<Steady> tidied_;
  std::optional<Millis> ahead_;  // Of the wall, before the steady clock, when last compared.
};

}  // namespace haul

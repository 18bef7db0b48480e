#pragma once
// The worker's periodic duties: heartbeats, rescues, expiry, timers, retention.

#include <map>

#include "flow/desk.h"
#include "flow/retain.h"
#include "store/uptime.h"

namespace haul {

// Takes the jobs of all earlier workers at once, without waiting for their leases to end. Only for
// a process that has the store to itself, so that no other worker can be alive. The jobs count as
// lost, unless their workers ended in an outage of the store. Also ends that outage.
void rescue_everyone(Store& store, Time now);

class Sweep {
 public:
  explicit Sweep(Desk& desk);

  // Does what is due; cheap when nothing is.
  void run();
  // Gives every other worker a whole lease again, from now.
  void forget_silence() { heard_.clear(); }

 private:
  struct Heard {
    std::int64_t beat = 0;
    Steady since;  // When this worker first saw this beat.
  };

  void beat();
  void rescue();
  void expire();
  void timers();
  // Makes desk and store agree. Releases jobs that are leased to this worker but not on its desk,
  // because no other worker would take them. Drops jobs from the desk whose lease is lost.
  void tidy_desk();
  // If the wall clock was set back, makes postponed jobs due that would now wait too long.
  void recall();
  // Records the uptime of this worker. When the wall clock jumps against the steady clock, ends the
  // stretch and begins another.
  void keep_time();
  void begin_stretch(Millis lived);
  // The uptime of the store, by the steady clock. Expiry and retention count only this (promise 6).
  Millis lived_now() const;
  // The stretches in the store, and the current one of this worker.
  std::vector<Stretch> stretches() const;

  Desk& desk_;
  Retention retention_;
  std::optional<Stretch> stretch_;  // Nothing before the first run: a full store cannot begin one.
  Steady stretch_from_;
  Steady kept_;  // When the stretch was last written.
  std::map<WorkerId, Heard> heard_;
  std::optional<Steady> beaten_;
  std::optional<Steady> swept_;
  std::optional<Steady> recalled_;
  std::optional<Steady> tidied_;
  std::optional<Millis> ahead_;  // Wall clock minus steady clock, when last compared.
};

}  // namespace haul

#pragma once
// The worker's periodic duties: heartbeats, rescues, expiry, timers, retention.

#include <map>
#include <span>

#include "flow/worker/desk.h"
#include "flow/worker/retain.h"
#include "store/uptime.h"

namespace haul::flow {

// Takes the jobs of all earlier workers at once, without waiting for their leases to end. Only for
// a process that has the store to itself, so that no other worker can be alive. The jobs count as
// lost, unless their workers ended in an outage of the store. Also ends that outage. Those that go
// into a timed wait wait by their backoff. Without `chance` all are due now.
void rescue_everyone(Store& store, const Chance& chance, Time now);

class Sweep {
 public:
  explicit Sweep(Desk& desk);

  // Does what is due; cheap when nothing is.
  void run();
  // Gives every other worker a whole lease again, from now.
  void forget_silence() { forget_others({}); }

 private:
  struct Heard {
    std::int64_t beat = 0;
    Steady since;  // When this worker first saw this beat.
  };

  void beat();
  void rescue();
  void expire();
  // Ends the waits of jobs that no worker leases.
  void timers();
  void end_waits(const Lifecycle& lifecycle, const State& state);
  // Forgets the workers that hold nothing any more.
  void forget_others(std::span<const WorkerRow> holders);
  // Makes desk and store agree. A stray is a job that is leased to this worker but not on its desk.
  // Releases the strays that the last call found too, because no other worker would take them. A
  // new stray may be a job that an add has leased to this worker a moment ago. Drops jobs whose
  // lease is lost.
  void tidy_desk();
  // Drops jobs from the desk that are not among those leased to this worker.
  void drop_lost(std::span<const Job> leased);
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
  std::map<JobId, std::int64_t> strays_;  // Of the last tidy_desk(), with their fences.
  std::optional<Steady> beaten_;
  std::optional<Steady> swept_;
  std::optional<Steady> recalled_;
  std::optional<Steady> tidied_;
  std::optional<Millis> ahead_;  // Wall clock minus steady clock, when last compared.
};

}  // namespace haul::flow

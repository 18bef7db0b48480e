#pragma once
// A worker's places at hosts, out of the limits that all workers share. Where starts need not be
// apart, a place passes from one start to the next in memory, for a second at most, and waits a
// moment for the next: then it goes back, so that others get their turn. No call but
// give_back_spare and give_all throws a StoreFault: engines call from their own threads. A place
// that the store does not take back now is given back by a later give_back_spare.

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "flow/own_limits.h"
#include "io/gate.h"
#include "store/limits.h"
#include "store/refusal.h"

namespace haul {

class Places final : public Gate {
 public:
  // The rule holds for every job. A job's own limits are counted beside it, for that job alone.
  Places(Limits& limits, const Clock& clock, WorkerId worker, const HostRule& rule);
  // For a worker that was enlisted later. No start may be under way.
  void set_worker(WorkerId worker);

  // The first place of a start.
  bool take(std::int64_t start, const std::string& host, const OwnLimits& own);
  // Lets a start ask for its places itself, later.
  void expect(std::int64_t start, const OwnLimits& own);
  // Gives back whatever the start holds.
  void give(std::int64_t start);
  // Gives back to the others what was given and not taken again.
  void give_back_spare();
  void give_all();
  // Before this the host gives the job no place: it asked to be left alone, all are taken, or the
  // job's own delay is not over.
  Steady closed_until(const std::string& host, const OwnLimits& own);
  // Until when a request of the start, asked for a moment ago, waits for the job's own delay.
  // Nothing: no request of it does.
  std::optional<Steady> waits_until(std::int64_t start);

  bool pass(std::int64_t start, const std::string& host) override;
  bool more(std::int64_t start) override;
  void less(std::int64_t start) override;
  std::optional<std::int64_t> enter(std::int64_t start, const std::string& host) override;
  void leave(std::int64_t door) override;
  void block(const std::string& host, std::int64_t wait_ms) override;

 private:
  struct Host {
    std::size_t ours = 0;       // Places out of the store: with all there are nobody need ask,
    std::size_t spare = 0;      // of which so many wait for the next start.
    Steady since;               // When places were last taken from the store.
    Steady spare_since;         // When one was last put aside.
    Steady full_until;          // Not worth asking before.
    Steady blocked_until;       // The host asked for it, and the store could not write that down.
    Steady passer_waits;        // When a request of a start was last told to wait.
    bool passers_turn = false;  // The last place went to a new start.
  };
  struct Start {
    OwnLimits own;
    std::string host;
    std::size_t held = 0;
    std::string waits_for{};  // The host at which the job's own limits let no request pass,
    Steady asked{};           // when it was last asked for.
  };
  struct Door {
    JobId job;
    std::string host;
  };
  // What a job with limits of its own uses at a host.
  struct OwnUse {
    std::size_t held = 0;
    Steady started;
    Millis apart{0};
  };
  using JobAtHost = std::pair<JobId, std::string>;

  // Keeps a fault that waiting does not mend for the worker's next give_back_spare.
  void remember(const StoreFault& fault) REQUIRES(mutex_);
  bool passes_on() const { return rule_.apart == Millis{0}; }
  bool must_let_pass(const std::string& name) REQUIRES(mutex_);
  bool take_passing(const std::string& name, Start& start) REQUIRES(mutex_);
  bool own_allows(const std::string& name, const OwnLimits& own) REQUIRES(mutex_);
  bool take_at(const std::string& name, const OwnLimits& own) REQUIRES(mutex_);
  bool take_shared(const std::string& name) REQUIRES(mutex_);
  void give_at(const std::string& name, JobId job) REQUIRES(mutex_);

  Limits& limits_;
  const Clock& clock_;
  const HostRule rule_;
  Mutex mutex_;
  WorkerId worker_ GUARDED_BY(mutex_);
  std::map<std::string, Host> hosts_ GUARDED_BY(mutex_);
  std::map<std::int64_t, Start> starts_ GUARDED_BY(mutex_);
  std::map<std::int64_t, Door> doors_ GUARDED_BY(mutex_);
  std::map<JobAtHost, OwnUse> own_use_ GUARDED_BY(mutex_);
  std::int64_t last_door_ GUARDED_BY(mutex_) = 0;
  std::optional<StoreFault> met_ GUARDED_BY(mutex_);
};

}  // namespace haul

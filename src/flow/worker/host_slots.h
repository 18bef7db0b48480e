#pragma once
// The worker's slots at hosts, from the limits that all workers share. If the rule requires no
// delay between starts, a slot that one start gives back can serve the next start from memory.
// That lasts a second at most, and an unused slot goes back to the store sooner, so that other
// workers get their turn. Engines call from their own threads, so only give_back_spare() and
// give_all() throw a StoreFault. If the store fails to take a slot back, a later give_back_spare()
// retries.

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "flow/worker/own_limits.h"
#include "seam/gate.h"
#include "store/limits.h"
#include "store/refusal.h"

namespace haul::flow {

class HostSlots final : public Gate {
 public:
  // `rule` applies to all jobs. A job's own limits apply to that job in addition.
  HostSlots(Limits& limits, const Clock& clock, WorkerId worker, const HostRule& rule);
  // Sets the id of a worker that enlists after construction. No start may be in progress.
  void set_worker(WorkerId worker);

  // Begins a start with its first slot. False if none is free.
  bool take(std::int64_t start, const std::string& host, const OwnLimits& own);
  // Begins a start without a slot; the start asks for its slots later, through the Gate.
  void expect(std::int64_t start, const OwnLimits& own);
  // Ends a start and gives its slots back, except those of open doors.
  void give(std::int64_t start);
  // Whether a slot that one start gives back may serve the next at once.
  bool passes_on() const { return rule_.apart == Millis{0}; }
  // Returns unused slots to the store, for other workers. Throws a fault that an earlier call met.
  void give_back_spare();
  void give_all();
  // The host gives the job no slot before this time: the host sent Retry-After, all slots are
  // taken, or the job's own delay is not over.
  Steady closed_until(const std::string& host, const OwnLimits& own);
  // Until when the job's own delay holds back a request of the start. Nothing if it holds back none
  // now.
  std::optional<Steady> waits_until(std::int64_t start);

  bool pass(std::int64_t start, const std::string& host) override;
  bool more(std::int64_t start) override;
  std::size_t done(std::int64_t start) override;
  void less(std::int64_t start) override;
  std::optional<std::int64_t> enter(std::int64_t start, const std::string& host) override;
  void leave(std::int64_t door) override;
  Millis pace(const std::string& name, Millis apart) override;
  void block(const std::string& host, std::int64_t wait_ms) override;

 private:
  struct Host {
    std::size_t ours = 0;       // Slots taken from the store. With all of them, asking is useless.
    std::size_t spare = 0;      // Slots among these that wait for the next start.
    Steady since;               // When a slot was last taken from the store.
    Steady spare_since;         // When a slot last became spare.
    Steady full_until;          // Asking the store before this is useless.
    Steady blocked_until;       // From Retry-After, if the store could not write it.
    Steady passer_waits;        // When a running start last had to wait.
    bool passers_turn = false;  // A new start got the last slot.
  };
  struct Start {
    OwnLimits own;
    std::string host;
    std::size_t held = 0;
    std::string waits_for{};  // The host where the job's own limits last refused it a slot.
    Steady asked{};           // When they did.
  };
  struct Door {
    JobId job;
    std::string host;
  };
  // How a job with its own limits uses a host.
  struct OwnUse {
    std::size_t held = 0;
    Steady started;
    Millis apart{0};
  };
  using JobAtHost = std::pair<JobId, std::string>;

  void give_held(Start& start) REQUIRES(mutex_);
  // Keeps a fault that does not pass by itself; the next give_back_spare() throws it.
  void remember(const StoreFault& fault) REQUIRES(mutex_);
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

}  // namespace haul::flow

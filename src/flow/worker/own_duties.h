#pragma once
// The duties of one worker: named work that one worker of many does at a time. The worker takes a
// duty that no worker has, and keeps it while it beats.

#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "store/store.h"

namespace haul::flow {

// How long a worker keeps its duties without a beat: as long as most lifecycles let it keep a job.
inline constexpr Millis kDutyLease{8'000};

class OwnDuties {
 public:
  OwnDuties(Store& store, const Clock& clock, Millis check_every)
      : store_{store}, clock_{clock}, check_every_{check_every} {}

  // Whether this worker has the duty. Takes it if no worker has it. Asks the store once in a while,
  // because another worker takes the duties of one that is silent for too long.
  bool take(const std::string& name, WorkerId worker);
  // The duty as this worker took it, with its fence. Nothing if another worker had it when this one
  // last asked, or if that was a lease ago. For other threads of its process: before they write,
  // Duties::holds() tells them whether the worker still has it.
  std::optional<Duty> held(const std::string& name) const;
  // Asks the store whether this worker still has the duty, by its fence. One read. take() answers
  // from memory for a while, so the worker asks this before an act that two must not do at once.
  bool still_holds(const std::string& name) const;
  // Names a duty of another thread. take_wanted() takes it for that thread.
  void want(const std::string& name);
  void take_wanted(WorkerId worker);

  // Another worker has been silent for longer than any lease. Its duties are free.
  void see_silent(const SilentWorker& silent);
  // That worker has beaten since, or holds nothing any more.
  void hear(WorkerId worker) { silent_.erase(worker); }
  // Gives all duties back.
  void give_all(WorkerId worker);

 private:
  struct Known {
    Steady checked;
    std::optional<Duty> mine;  // Nothing: another worker has it.
  };

  Store& store_;
  const Clock& clock_;
  const Millis check_every_;
  std::map<WorkerId, std::int64_t> silent_;  // The last beat of each.
  mutable Mutex mutex_;
  std::map<std::string, Known> known_ GUARDED_BY(mutex_);
  std::set<std::string> wanted_ GUARDED_BY(mutex_);
};

}  // namespace haul::flow

#pragma once
// The state of one worker: the jobs it holds, what it knows of them, and the moves it will ask the
// store for. It asks for many moves in one transaction, because that is where the speed is.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/shared_text.h"
#include "flow/worker/host_slots.h"
#include "flow/worker/lanes.h"
#include "flow/worker/lifecycle_work.h"
#include "flow/worker/own_duties.h"
#include "flow/worker/settings.h"
#include "flow/worker/verdict.h"
#include "seam/engine.h"
#include "store/store.h"

namespace haul::flow {

class ClientWork;

// What a handler remembers of a held job. Only that handler reads it.
struct HandlerState {
  HandlerState() = default;
  HandlerState(const HandlerState&) = delete;
  HandlerState& operator=(const HandlerState&) = delete;
  virtual ~HandlerState() = default;
};

// A job that is being stopped: to cancel it, to pause it, or because this worker ends.
struct Stopping {
  Steady until;                             // The worker answers the wish then, at the latest.
  Leftovers leftovers = Leftovers::remove;  // Whether the job can go on later (keep) or not.
  IntentId wish{};                          // The user's cancel or pause; zero if this worker ends.
};

// A job under our lease, as we last saw it.
struct Held {
  Job job;
  SharedText request;
  Steady heard;                        // When the last sight came, or the step began.
  std::optional<IntentId> intent{};    // The open intent of the current act.
  std::optional<Steady> again_at{};    // It waits in its state until then.
  std::optional<Stopping> stopping{};  // Its handler was told to stop, and begins nothing new.
  std::unique_ptr<HandlerState> own{};

  // Whether its handler was told to stop like this, or for good. A cancel overrides a pause.
  bool was_told(Leftovers leftovers) const {
    return stopping && (leftovers == Leftovers::keep || stopping->leftovers == Leftovers::remove);
  }
};

// An item that ended, for Worker::listen().
struct ItemEnded {
  JobId job;
  std::int64_t item = 0;
  std::string key{};
  std::string url;
  std::string path;
  On on = On::landed;  // landed, fail or skip.
  std::int64_t size = 0;
  std::string reason;
  std::string detail;
  std::string evidence;
  std::int64_t received = 0;  // Bytes of all starts of the job so far that ended under this lease.
};

class Desk {
 public:
  using Then = std::function<void(const JobVersion& after)>;
  using Otherwise = std::function<void(const Refusal& why)>;

  Desk(Store& its_store, const Clock& its_clock, Random& its_random, const Settings& its_settings,
       WorkerId its_worker, Inbox& its_inbox);
  ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  Store& store;
  const Clock& clock;
  Random& random;
  const Settings settings;
  WorkerId worker;  // Zero until the worker is enlisted.
  Inbox& inbox;

  std::span<const LifecycleWork> work;  // What this worker can do. The worker owns the list.
  std::vector<std::unique_ptr<Handler>> handlers;
  std::map<JobId, Held> held;
  HeldLanes lanes;  // Lanes of the held jobs.
  HostSlots host_slots;
  OwnDuties duties;
  std::set<JobId> doubtful;  // Held jobs whose last step a store fault interrupted.

  std::function<void(const ItemEnded&)> on_item = [](const ItemEnded&) {};

  Time now() const { return clock.now(); }
  // Whether this worker, of all workers, does this work now.
  bool has_duty(const std::string& name) { return duties.take(name, worker); }
  // The same as the store knows it at this moment, for what two workers must not do at once.
  bool still_has_duty(const std::string& name) const { return duties.still_holds(name); }
  // The handler of a lifecycle; nullptr if this worker has none.
  Handler* handler(const Lifecycle& lifecycle) const;
  Handler& handler(const Held& held_job) const { return *handler(*held_job.job.version.lifecycle); }
  // The work on a job that is at a client; nullptr if the job is at none, or this worker has no
  // handler for it.
  ClientWork* client_work(const Job& job) const;
  // Z-30: whether this worker begins jobs of a lifecycle. Those of another one wait.
  bool is_ready(const Lifecycle& lifecycle) const { return flow::is_ready(work, lifecycle); }
  // The same for a job with this request, which may ask for one engine of several.
  bool is_ready(const Lifecycle& lifecycle, std::string_view request) const;
  // Z-31: see flow/worker/restored.h.
  bool is_restored() const { return store.identity().is_restored(); }
  // Numbers for Order::start. Items count up and listings count down, so that no two are equal.
  std::int64_t next_start() const { return starts_ + 1; }
  std::int64_t count_start() { return ++starts_; }
  std::int64_t count_plan() { return --plans_; }

  // Queues the moves of a verdict, in order. `then` runs when the last move is granted. `otherwise`
  // runs if the first is refused. After any other refusal the desk gives a held job back. A verdict
  // without moves may release the lease instead.
  void ask(const Job& job, const Verdict& verdict, Then then = {}, Otherwise otherwise = {});
  // Writes the queued observations, then asks for the queued moves, repeatedly while answers queue
  // more.
  void flush();
  // Whether a move or an observation of this job is queued. Sights received since then describe the
  // job before it.
  bool is_asking(JobId job) const { return asking_.contains(job); }

  // Writes the observation of a verdict at once. False if the job has changed since it was read.
  bool observe(const Job& job, const Observed& seen);
  // Queues an observation; the next flush writes all queued ones together.
  void observe_later(const Job& job, const Observed& seen);
  // Writes many observations at once. One answer each, in order.
  std::vector<bool> observe_all(std::span<const std::pair<Job, Observed>> seen);
  // A service that all jobs of the lifecycle need refuses haul. No more of them begin, until the
  // service answers one again. `part`: which one, if they need several; a constant.
  void hold_service(const Lifecycle& lifecycle, const Fault& why, std::string_view part = {});
  // The service asks haul to wait this long, and no longer.
  void hold_service_for(const Lifecycle& lifecycle, const Fault& why, Millis wait,
                        std::string_view part = {});
  // This service answers. What another one holds back stays held.
  void release_service(const Lifecycle& lifecycle, std::string_view part = {});
  // Releases the lease and removes the job from the desk. The job is due again after this time.
  void release(const Job& job, const std::string& reason, Millis after,
               const std::string& detail = {});
  // The store refused a move of a held job. Releases the lease, if the worker still has it, and
  // removes the job from the desk. The job is due again after some seconds, because the next
  // attempt may meet the same refusal.
  void give_back(const Job& job, const Refusal& why);
  // The same, unless the job has changed since `asked`.
  void give_back_if_held(const JobVersion& asked, const Refusal& why);
  // Lets the job wait in its state, without an event. It waits under its lease while this worker
  // has room for other jobs, and otherwise without one. The reason and the time are shown
  // meanwhile. If this worker is lost meanwhile, a job that is adopted loses no attempt.
  void wait(Held& held_job, const std::string& reason, Millis after,
            const std::string& detail = {});
  // Stops what the job's handler started for it, unless the handler was told before, and removes
  // the job from the desk. Does not write to the store.
  void drop(JobId job, Leftovers leftovers = Leftovers::keep);

  Order order(const Held& held_job) const;
  Order order(const Job& job, SharedText request) const;
  Hold hold(const Job& job) const { return {job.version.id, worker, job.version.fence}; }

  // Writes the intent of an act that is not safe to repeat. Nothing if the lease is lost.
  std::optional<Intent> begin(Held& held_job, const NewIntent& intent);
  void settle(Held& held_job, IntentState state, const std::string& outcome);
  // The next open intents of a kind. Continues after the previous call and starts over at the end,
  // so that intents that must wait do not hide later ones.
  std::vector<Intent> next_open(const std::string& kind, std::size_t limit);

 private:
  struct Queued {
    Ask ask;
    Then then;
    Otherwise otherwise;
  };
  Observation observation_of(const Job& job, const Observed& seen);
  void write_observations();
  void send(std::vector<Queued>& group);
  void answer(Queued& queued, const MoveAnswer& answer);

  std::vector<Queued> queue_;
  std::vector<Observation> observations_;
  std::set<JobId> asking_;
  std::map<std::string, IntentId> looked_at_;  // By kind: where next_open() continues.
  std::int64_t starts_ = 0;
  std::int64_t plans_ = 0;
};

}  // namespace haul::flow

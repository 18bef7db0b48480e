#pragma once
// A worker: claims due jobs, handles the sights in its inbox, and moves jobs in batches. The caller
// drives it by tick(), which never waits, and decides when to tick again.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "flow/worker/desk.h"
#include "flow/worker/handler.h"
#include "flow/worker/lifecycle_work.h"
#include "flow/worker/outage.h"
#include "flow/worker/spare_capacity.h"
#include "flow/worker/sweep.h"

namespace haul::flow {

struct HeldJob {
  JobId job;
  UserId owner;
};

class Worker {
 public:
  // If the store accepts no writes now, the worker enlists later.
  Worker(Store& store, std::vector<LifecycleWork> lifecycles, const Clock& clock, Random& random,
         const Settings& settings, const std::string& name);

  // Makes the first tick take over the jobs of all earlier workers. Only for the one worker of a
  // store, before its first tick.
  void take_over() { takes_over_ = true; }

  // Does all work that is due: heartbeat, sweep, sights, claims, transfers. While the store is full
  // or busy, only probes it every few seconds. Throws any other fault of the store.
  void tick();

  // Set while the store accepts no writes.
  const std::optional<Outage>& outage() const { return outage_; }

  // Handles users' cancels now instead of at the next sweep.
  void see_cancels();

  // Tells transfers to stop and writes what a resume needs. True if none is left, or if the store
  // accepts no writes.
  bool wind_down();
  // Releases every lease. Attempts stay as they are, and transfers can resume.
  void stop();

  // Waits until a sight or a claimed job arrives, wake() is called, or the time is up.
  void wait(Millis at_most);
  // Ends wait() and makes the next tick look for work, for example after an add. Call from any
  // thread.
  void wake() { mail_.ring(); }

  // Calls `listener` for every item that ended, after that is written.
  void listen(std::function<void(const ItemEnded&)> listener) {
    desk_.on_item = std::move(listener);
  }
  std::vector<HeldJob> holding() const;
  // Transfers at download clients, as last reported.
  std::vector<ClientTransfer> at_client() const;
  // What the job's handler transfers now, and what waits for a retry.
  std::vector<TransferView> transfers(JobId job) const;
  // Nothing for a job that it does not hold, or that has no items.
  std::optional<OpenItems> open_items(JobId job) const;

  WorkerId id() const { return desk_.worker; }
  // What it can do, and what must be configured before it does it.
  std::span<const LifecycleWork> all_work() const { return work_; }
  Gate& gate() { return desk_.host_slots; }
  Inbox& inbox() { return mail_; }
  // Lends the capacity that was free after the last tick.
  SpareCapacity& spare() { return mail_; }
  // Duties of this process. Other threads name theirs by want() and ask by has().
  OwnDuties& duties() { return desk_.duties; }
  std::size_t held() const { return desk_.held.size(); }

 private:
  // Receives sights and claimed jobs from any thread, until the worker's thread takes them.
  class Mail final : public Inbox, public SpareCapacity {
   public:
    explicit Mail(std::span<const LifecycleWork> work) : work_{work} {}

    void push(Sight sight) override;
    std::deque<Sight> take();
    // Waits for mail, then `breath` longer for more of it. True if ring() was called.
    bool wait(Millis at_most, std::chrono::microseconds breath);
    void ring();

    std::optional<ClaimRequest> lend(const Lifecycle& lifecycle, std::size_t wanted) override;
    void give_back(const ClaimRequest& lent, std::vector<Claim> taken) override;
    std::vector<Claim> claimed();
    // What was free after the last tick.
    struct Free {
      Capacity capacity;
      bool is_restored = false;  // Some lifecycles do not begin; see flow/worker/restored.h.
    };
    void set_free(WorkerId worker, const Free& free);
    // Stops lending, and waits until all loans are given back.
    void withdraw();

   private:
    const std::span<const LifecycleWork> work_;
    Mutex mutex_;
    Condition came_;
    std::deque<Sight> sights_ GUARDED_BY(mutex_);
    bool rung_ GUARDED_BY(mutex_) = false;  // Kept for the next wait() if the worker is busy.
    std::vector<Claim> claimed_ GUARDED_BY(mutex_);
    WorkerId worker_ GUARDED_BY(mutex_);
    Free free_ GUARDED_BY(mutex_);
    std::size_t lent_ GUARDED_BY(mutex_) = 0;
  };

  void enlist();
  void give_back_leases();
  // The whole tick, for a store that accepts writes.
  void work();
  // Runs a step that writes. False if there is an outage, or if one began in the step.
  bool try_to(const std::function<void()>& step);
  // Tries a small write, if one is due. True if the store accepts writes again.
  bool probe();
  void end_outage();
  // Keeps mail that arrives during an outage.
  void hold_mail();
  // Releases jobs whose last step a store fault interrupted: haul does not know what is left
  // undone.
  void release_doubtful();

  // Jobs that sights are about and this worker does not hold; nothing for one that does not exist.
  // Only a job at a client has its intents and request. Since a job was read, no handler was called
  // for it and none of its queued moves was written, so this worker has not changed it.
  using ReadJobs = std::map<JobId, std::optional<ClientJob>>;

  void read_mail();
  // Handles the first unread sight.
  void see(Sight& sight, ReadJobs& read);
  // The held job that the sight is about; nullptr if it is about another job or an earlier lease.
  Held* held_for(const Sight& sight);
  // Reads the job of the first unread sight, and in the same calls the jobs of the next ones,
  // except those with queued moves.
  void read_ahead(ReadJobs& read);
  // Goes on with held jobs that have waited in their state for long enough.
  void end_waits();
  void go_on(JobId id);
  // Treats an overdue answer as a failure with an unknown outcome.
  void end_silence();

  // Looks for due work, every look_every or when woken. Sights do not trigger it, because they come
  // by the thousand and it reads the store.
  void look_for_work();

  const std::string name_;
  const std::vector<LifecycleWork> work_;
  std::optional<Outage> outage_;
  bool takes_over_ = false;
  Steady listens_from_ = Steady::min();  // No silence before this counts: it read no mail then.
  Steady silent_from_ = Steady::min();   // No answer can be overdue before this.
  std::optional<Steady> looked_;         // When it last looked; nothing to look at the next tick.
  Mail mail_;
  Steady read_at_{};          // When it last read jobs ahead.
  std::deque<Sight> unread_;  // Taken from the mail. If handling one throws, it stays first.
  std::vector<Claim> taken_;  // Claimed jobs that have not begun.
  Desk desk_;
  Sweep sweep_;
};

}  // namespace haul::flow

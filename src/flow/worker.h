#pragma once
// A worker: claims due jobs, handles the sights in its inbox, and moves jobs in batches. The caller
// drives it by tick(), which never waits, and decides when to tick again.

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "flow/desk.h"
#include "flow/hands.h"
#include "flow/outage.h"
#include "flow/sweep.h"

namespace haul {

// An item in transfer or waiting for a retry, as far as this worker knows.
struct TransferView {
  std::int64_t item = 0;
  std::string key;
  std::string url;
  std::string path;  // Empty until it is known.
  std::int64_t have = 0;
  std::optional<std::int64_t> size;
  Transfer::Phase phase = Transfer::Phase::moving;
  std::string status;              // What the engine does instead of fetching.
  std::optional<Millis> retry_in;  // Set if it failed and waits for a retry.
  std::string reason;              // Code of the last failure.
};

struct HeldJob {
  JobId job;
  UserId owner;
};

class Worker {
 public:
  // If the store accepts no writes now, the worker enlists later.
  Worker(Store& store, const Outside& outside, const Clock& clock, Random& random,
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
  const std::map<JobId, AtClient>& at_client() const { return desk_.at_client; }
  // The job's items in transfer, by number, then those that wait for a retry, by time.
  std::vector<TransferView> transfers(JobId job) const;

  WorkerId id() const { return desk_.worker; }
  Gate& gate() { return desk_.places; }
  Inbox& inbox() { return mail_; }
  // Lends the capacity that was free after the last tick.
  Hands& hands() { return mail_; }
  std::size_t held() const { return desk_.held.size(); }

 private:
  // Receives sights and claimed jobs from any thread, until the worker's thread takes them.
  class Mail final : public Inbox, public Hands {
   public:
    void push(Sight sight) override;
    std::deque<Sight> take();
    // Waits for mail, then `breath` longer for more of it. True if ring() was called.
    bool wait(Millis at_most, std::chrono::microseconds breath);
    void ring();

    std::optional<ClaimAsk> lend(const Lifecycle& lifecycle, std::size_t wanted) override;
    void give_back(const ClaimAsk& lent, std::vector<Claim> taken) override;
    std::vector<Claim> claimed();
    // What was free after the last tick.
    struct Free {
      Capacity capacity;
      bool is_restored = false;  // Some lifecycles do not begin; see flow/restored.h.
    };
    void set_free(WorkerId worker, const Free& free);
    // Stops lending, and waits until all loans are given back.
    void withdraw();

   private:
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

  void read_mail();
  void see(Sight& sight);
  void see_held(Held& held, Sight& sight);
  void see_batch(Held& held, Sight& sight);
  // Treats an overdue answer as a failure with an unknown outcome.
  void end_silence();

  // Looks for due work, every look_every or when woken. Sights do not trigger it, because they come
  // by the thousand and it reads the store.
  void look_for_work();

  const std::string name_;
  std::optional<Outage> outage_;
  bool takes_over_ = false;
  bool winding_down_ = false;
  Steady silent_from_ = Steady::min();  // No answer can be overdue before this.
  std::optional<Steady> looked_;        // When it last looked; nothing to look at the next tick.
  Mail mail_;
  std::deque<Sight> unread_;  // Taken from the mail. If handling one throws, it stays first.
  std::vector<Claim> taken_;  // Claimed jobs that have not begun.
  Desk desk_;
  Sweep sweep_;
};

}  // namespace haul

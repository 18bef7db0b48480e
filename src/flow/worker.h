#pragma once
// A worker: one inbox of sights, a hand for whatever is due, moves in batches. Driven by tick(),
// which never waits; the caller decides when to tick again.

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

// An item at work, as far as this worker knows.
struct TransferView {
  std::int64_t item = 0;
  std::string key;
  std::string url;
  std::string path;  // Empty until it is known.
  std::int64_t have = 0;
  std::optional<std::int64_t> size;
  Transfer::Phase phase = Transfer::Phase::moving;
  std::string status;              // What the engine does, if that is not fetching.
  std::optional<Millis> retry_in;  // It failed and waits.
  std::string reason;              // The last failure's.
};

struct HeldJob {
  JobId job;
  UserId owner;
};

class Worker {
 public:
  // Also while the store takes no writes: it is enlisted once it can be.
  Worker(Store& store, const Outside& outside, const Clock& clock, Random& random,
         const Settings& settings, const std::string& name);

  // Before its first work it takes over what former workers held. Only for the one worker of a
  // store, before its first tick.
  void take_over() { takes_over_ = true; }

  // Does everything that can be done now: beats, sweeps, reads sights, takes what is due. While the
  // store is full or busy it does nothing but try again every few seconds; any other fault is
  // thrown.
  void tick();

  // Set while the store takes no writes.
  const std::optional<Outage>& outage() const { return outage_; }

  // Stops what somebody wishes to be cancelled, without waiting for the next sweep.
  void see_cancels();

  // Tells transfers to stop and takes in what they leave for a resume. True: none goes on.
  bool wind_down();
  // Gives every lease back in good order: attempts unchanged, transfers resumable.
  void stop();

  // Until there is mail, somebody wakes it, or the time is up.
  void wait(Millis at_most);
  // From any thread: something was added.
  void wake() { mail_.ring(); }

  // Told of every item that ended, once that is written down.
  void listen(std::function<void(const ItemEnded&)> listener) {
    desk_.on_item = std::move(listener);
  }
  std::vector<HeldJob> holding() const;
  // What clients fetch for us, as they last said.
  const std::map<JobId, AtClient>& at_client() const { return desk_.at_client; }
  // The items at work and those that wait to be tried again, by number.
  std::vector<TransferView> transfers(JobId job) const;

  WorkerId id() const { return desk_.worker; }
  Gate& gate() { return desk_.places; }
  Inbox& inbox() { return mail_; }
  // Free ones are those that the last tick left.
  Hands& hands() { return mail_; }
  std::size_t held() const { return desk_.held.size(); }

 private:
  // Sights and claimed jobs from any thread, taken by the worker's own.
  class Mail final : public Inbox, public Hands {
   public:
    void push(Sight sight) override;
    std::deque<Sight> take();
    // Until there is any, and a breath longer for what comes with it. True: somebody rang.
    bool wait(Millis at_most, std::chrono::microseconds breath);
    void ring();

    std::optional<ClaimAsk> lend(const Lifecycle& lifecycle, std::size_t wanted) override;
    void give_back(const ClaimAsk& lent, std::vector<Claim> taken) override;
    std::vector<Claim> claimed();
    // As the last tick left it.
    struct Free {
      Capacity capacity;
      bool is_restored = false;  // Some lifecycles are not begun.
    };
    void set_free(WorkerId worker, const Free& free);
    // Lends no more, and waits for those that are lent.
    void withdraw();

   private:
    Mutex mutex_;
    Condition came_;
    std::deque<Sight> sights_ GUARDED_BY(mutex_);
    bool rung_ GUARDED_BY(mutex_) = false;  // Kept for its next wait, if it is busy.
    std::vector<Claim> claimed_ GUARDED_BY(mutex_);
    WorkerId worker_ GUARDED_BY(mutex_);
    Free free_ GUARDED_BY(mutex_);
    std::size_t lent_ GUARDED_BY(mutex_) = 0;
  };

  void enlist();
  void give_back_leases();
  // All of a tick, for a store that takes writes.
  void work();
  // Runs a step that writes. False: there is an outage, or it began here.
  bool try_to(const std::function<void()>& step);
  // True: the store takes writes.
  bool probe();
  void end_outage();
  // Keeps what comes meanwhile.
  void hold_mail();
  // Jobs whose last step was cut short by the store go back: what it left undone is not known.
  void release_doubtful();

  void read_mail();
  void see(Sight& sight);
  void see_held(Held& held, Sight& sight);
  void see_batch(Held& held, Sight& sight);
  // An answer that never comes is a failure of its own, with the outcome unknown.
  void end_silence();

  // Reads of the store: mail alone, which comes by the thousand, is no reason for them.
  void look_for_work();

  const std::string name_;
  std::optional<Outage> outage_;
  bool takes_over_ = false;
  bool winding_down_ = false;
  Steady silent_from_ = Steady::min();  // Before this nobody can have been silent for too long.
  std::optional<Steady> looked_;        // Nothing: look at the next tick.
  Mail mail_;
  std::deque<Sight> unread_;  // Taken from the mail; one that could not be dealt with stays first.
  std::vector<Claim> taken_;  // Claimed for us, and not begun.
  Desk desk_;
  Sweep sweep_;
};

}  // namespace haul

#pragma once
// A worker: one inbox of sights, a hand for whatever is due, moves in batches. Driven by tick(),
// which never waits; the caller decides when to tick again.

#include <deque>
#include <string>

#include "base/mutex.h"
#include "flow/desk.h"
#include "flow/sweep.h"

namespace haul {

class Worker {
 public:
  Worker(Store& store, Outside outside, const Clock& clock, Random& random, Settings settings,
         const std::string& name);

  // Does everything that can be done now: beats, sweeps, reads sights, takes what is due.
  void tick();

  // Gives every lease back in good order: attempts unchanged, transfers resumable.
  void stop();

  WorkerId id() const { return desk_.worker; }
  Inbox& inbox() { return mail_; }
  std::size_t held() const { return desk_.held.size(); }

 private:
  // Sights from any thread, read by the worker's own.
  class Mail final : public Inbox {
   public:
    void push(Sight sight) override;
    std::deque<Sight> take();

   private:
    Mutex mutex_;
    std::deque<Sight> sights_ GUARDED_BY(mutex_);
  };

  void read_mail();
  void see(const Sight& sight);
  void see_held(Held& held, const Sight& sight);
  // An answer that never comes is a failure of its own, with the outcome unknown.
  void end_silence();

  Mail mail_;
  std::deque<Sight> unread_;  // Taken from the mail; one that could not be dealt with stays first.
  Desk desk_;
  Sweep sweep_;
};

}  // namespace haul

#pragma once
// What must happen although nobody asks: beats, rescues, expiry, timers, retention.

#include <map>

#include "flow/desk.h"
#include "flow/retain.h"
#include "store/uptime.h"

namespace haul {

// When nobody else can be alive, because the store was ours alone to open: what earlier workers
// held is taken from them at once instead of after their leases. It counts as lost, unless they
// ended in an outage of the store, which it also ends.
void rescue_everyone(Store& store, Time now);

class Sweep {
 public:
  explicit Sweep(Desk& desk);

  // Does what is due; cheap when nothing is.
  void run();
  // Every other worker has a whole lease again, from now on.
  void forget_silence() { heard_.clear(); }

 private:
  struct Heard {
    std::int64_t beat = 0;
    Steady since;  // When this beat was first seen here.
  };

  void beat();
  void rescue();
  void expire();
  void timers();
  // Makes desk and store agree: what is leased to us and not on the desk goes back, because nobody
  // else would ever take it; what is on the desk and no longer ours leaves it.
  void tidy_desk();
  // When the wall clock went back, what was put off by it is due again.
  void recall();
  // Writes down the time that this worker lives through. Where the wall clock and the steady clock
  // part, a stretch ends and the next begins.
  void keep_time();
  void begin_stretch(Millis lived);
  // By the steady clock: promise 6 says what expiry and retention may count.
  Millis lived_now() const;
  // The store's, and our own as it is now.
  std::vector<Stretch> stretches() const;

  Desk& desk_;
  Retention retention_;
  std::optional<Stretch> stretch_;  // Nothing before the first run: the store may be full.
  Steady stretch_from_;
  Steady kept_;  // When the store was last told of the stretch.
  std::map<WorkerId, Heard> heard_;
  std::optional<Steady> beaten_;
  std::optional<Steady> swept_;
  std::optional<Steady> recalled_;
  std::optional<Steady> tidied_;
  std::optional<Millis> ahead_;  // Of the wall, before the steady clock, when last compared.
};

}  // namespace haul

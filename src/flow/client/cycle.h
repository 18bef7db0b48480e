#pragma once
// Decides when haul asks a download client about its jobs: in cycles, each with turns for a limited
// number of jobs, the longest waiting first (000 §8). Pure: the caller passes the time.

#include <cstddef>
#include <cstdint>

#include "base/time.h"

namespace haul::flow {

class Cycle {
 public:
  Cycle(Millis poll, std::size_t most) : poll_{poll}, most_{most} {}

  // Call when a job is due for a look. Begins the next cycle if it is time; true if one began.
  bool begin_if_due(Steady now);
  // Sets the number of open jobs. If a cycle has fewer turns, each job gets a turn every few
  // cycles.
  void spread_over(std::size_t open) { spread_ = open <= most_ ? 1 : (open + most_ - 1) / most_; }

  // Takes one of this cycle's turns. False if none is left.
  bool take_turn();
  // Time until the next turn of a job that has just had one.
  Millis next_turn(Steady now) const;
  // Time until the turn of a job that got none in this cycle, ahead of the other jobs of that
  // cycle. Call once per job, because each call counts one more postponed job.
  Millis postponed_turn(Steady now);

  // Time until the next cycle.
  Millis until_next(Steady now) const { return next_ - now; }

 private:
  Millis poll_;
  std::size_t most_;
  Steady next_{};
  bool began_ = false;
  std::size_t left_ = 0;
  std::size_t put_off_ = 0;
  std::size_t spread_ = 1;
};

// A postponed job is due this much earlier than the rest of its cycle, so it goes first.
inline constexpr Millis kAhead{1};

}  // namespace haul::flow

#pragma once
// Decides when haul asks a download client about its jobs: in cycles, each for a limited number of
// jobs, the longest waiting first (000 §8). Pure: the caller passes the time.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/time.h"

namespace haul {

class Cycle {
 public:
  Cycle(Millis poll, std::size_t most) : poll_{poll}, most_{most} {}

  // Call when a job is due for a look. Begins the next cycle if it is time; true if one began.
  bool turn(Steady now);
  // Sets the number of open jobs. If a cycle has fewer places, each job gets a turn every few
  // cycles.
  void spread_over(std::size_t open) { spread_ = open <= most_ ? 1 : (open + most_ - 1) / most_; }

  // Takes one of this cycle's places. False if none is left.
  bool take();
  // Time until the next turn of a job that was just asked about.
  Millis next_turn(Steady now) const;
  // Time until the next turn of a job that found no place, ahead of the other jobs of that cycle.
  // Call once per job, because each call counts one more postponed job.
  Millis next_place(Steady now);

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

}  // namespace haul

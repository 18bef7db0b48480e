#pragma once
// When the jobs at a client are asked about: in cycles, each with one question about so many jobs
// at most, the one that waited longest first (000 §8). Pure; times are given.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/time.h"

namespace haul {

class Cycle {
 public:
  Cycle(Millis poll, std::size_t most) : poll_{poll}, most_{most} {}

  // Somebody wants to be asked about: begins the next cycle if it is time. True: it has begun.
  bool turn(Steady now);
  // How many jobs are open in all: each then has its turn every so many cycles.
  void spread_over(std::size_t open) { spread_ = open <= most_ ? 1 : (open + most_ - 1) / most_; }

  // Takes one of the places of this cycle; nothing: they are taken.
  bool take();
  // In how long a job that was just asked about has its next turn.
  Millis next_turn(Steady now) const;
  // In how long one has its turn that found no place: before all others of that cycle. Each asks
  // once.
  Millis next_place(Steady now);

  // Where somebody who found no place already waits.
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

// By so much earlier than the others a job that was put off is due.
inline constexpr Millis kAhead{1};

}  // namespace haul

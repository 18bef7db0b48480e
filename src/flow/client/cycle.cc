#include "flow/client/cycle.h"

namespace haul::flow {

// Cycles begin at a fixed rate. If a whole cycle was missed, the rate starts over from now.
bool Cycle::begin_if_due(Steady now) {
  if (began_ && now < next_) return false;
  next_ = began_ && now < next_ + poll_ ? next_ + poll_ : now + poll_;
  began_ = true;
  left_ = most_;
  put_off_ = 0;
  return true;
}

bool Cycle::take_turn() {
  if (left_ == 0) return false;
  --left_;
  return true;
}

// A look shortly before the next cycle (a tenth of the poll) counts as the turn in that cycle.
Millis Cycle::next_turn(Steady now) const {
  const Millis wait = until_next(now);
  const Millis first = wait < poll_ / 10 ? wait + poll_ : wait;
  return first + poll_ * static_cast<std::int64_t>(spread_ - 1);
}

Millis Cycle::postponed_turn(Steady now) {
  const auto later = static_cast<std::int64_t>(put_off_++ / most_);
  return until_next(now) + poll_ * later - kAhead;
}

}  // namespace haul::flow

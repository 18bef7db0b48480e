#pragma once
// What comes while others of its kind are worked on is worked on together with whatever else came
// meanwhile: under load a thread has many at once, alone one waits for nobody.

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <optional>
#include <vector>

#include "base/mutex.h"

namespace haul {

template <class Thing>
class Together {
 public:
  struct Limits {
    std::size_t waiting = 0;
    std::size_t at_once = 0;  // In one hand,
    std::size_t hands = 0;    // of so many.
  };
  explicit Together(Limits limits) : limits_{limits} {}

  enum class Put { full, waits, wants_hand };
  // `wants_hand`: whoever put it there finds somebody who takes.
  Put put(Thing& thing) {
    const Lock lock{mutex_};
    if (waiting_.size() >= limits_.waiting) return Put::full;
    waiting_.push_back(std::move(thing));
    if (hands_ == limits_.hands) return Put::waits;
    ++hands_;
    return Put::wants_hand;
  }

  // The next ones; none: the hand may go.
  std::vector<Thing> take() {
    const Lock lock{mutex_};
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(
                                            std::min(waiting_.size(), limits_.at_once));
    std::vector<Thing> taken{std::make_move_iterator(waiting_.begin()),
                             std::make_move_iterator(end)};
    waiting_.erase(waiting_.begin(), end);
    if (taken.empty()) --hands_;
    return taken;
  }

 private:
  const Limits limits_;
  Mutex mutex_;
  std::deque<Thing> waiting_ GUARDED_BY(mutex_);
  std::size_t hands_ GUARDED_BY(mutex_) = 0;
};

}  // namespace haul

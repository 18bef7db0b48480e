#include "engine/child/turns.h"

#include <utility>

namespace haul::child {

// An entry that starts may add another, or end at once.
void ProcessTurns::take(const std::function<std::size_t()>& at_work) {
  for (std::size_t left = waiting_.size(); left > 0 && at_work() < most_; --left) {
    const std::function<void()> begin = std::move(waiting_.front());
    waiting_.pop_front();
    begin();
  }
}

}  // namespace haul::child

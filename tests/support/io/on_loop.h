#pragma once
// Runs work on a loop's thread, for tests that look at what lives there.

#include <future>

namespace haul::testing {

// Returns when the work is done.
template <class Loop, class Work>
void on_loop(Loop& loop, const Work& work) {
  std::promise<void> done;
  loop.post([&] {
    work();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace haul::testing

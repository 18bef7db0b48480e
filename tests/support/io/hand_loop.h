#pragma once
// A poll loop without a thread: posted work and timers run inside run(), on the test's thread. It
// watches no descriptor.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "base/ensure.h"
#include "io/process/poll.h"

namespace haul::testing {

class HandLoop final : public io::PollLoop {
 public:
  explicit HandLoop(const Clock& clock) : clock_{clock} {}

  bool is_closing = false;  // post() then runs the work at once: its caller waits for it.

  void post(std::function<void()> work) override {
    if (is_closing) return work();
    posted_.push_back(std::move(work));
  }
  std::shared_ptr<io::Poster> poster() const override {
    ensure(false, "no test of this loop posts through a poster");
    return nullptr;
  }
  void after(Millis wait, std::function<void()> work) override {
    timers_.emplace(clock_.steady() + wait, std::move(work));
  }
  void watch(int, io::Interest, std::function<void(io::Ready)>) override {}
  void want(int, io::Interest) override {}
  void forget(int) override {}

  // Runs until nothing is left to do at this moment.
  void run() {
    while (run_posted() || run_timer()) {
    }
  }

 private:
  bool run_posted() {
    if (posted_.empty()) return false;
    for (const auto& work : std::exchange(posted_, {})) work();
    return true;
  }
  bool run_timer() {
    if (timers_.empty() || timers_.begin()->first > clock_.steady()) return false;
    const auto timer = timers_.extract(timers_.begin());
    timer.mapped()();
    return true;
  }

  const Clock& clock_;
  std::deque<std::function<void()>> posted_;
  std::multimap<Steady, std::function<void()>> timers_;
};

}  // namespace haul::testing

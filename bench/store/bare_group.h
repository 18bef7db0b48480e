#pragma once
// Group commit as a careful programmer would write it: a queue, one thread, one flush per group.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "store/bare.h"

namespace haul::bench {

class BareGroup {
 public:
  explicit BareGroup(Bare& bare) : bare_{bare}, thread_{[this] { loop(); }} {}
  ~BareGroup() {
    {
      const std::lock_guard lock{mutex_};
      stopping_ = true;
    }
    arrived_.notify_one();
  }

  void run(const std::function<void()>& work) {
    Command command{&work, false, {}};
    std::unique_lock lock{mutex_};
    waiting_.push_back(&command);
    if (waiting_.size() == 1) arrived_.notify_one();
    command.answered.wait(lock, [&] { return command.done; });
  }

 private:
  struct Command {
    const std::function<void()>* work;
    bool done;
    std::condition_variable answered;
  };

  void loop() {
    for (;;) {
      std::vector<Command*> group;
      {
        std::unique_lock lock{mutex_};
        arrived_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        group.swap(waiting_);
      }
      bare_.begin();
      for (const Command* command : group) (*command->work)();
      bare_.commit();
      const std::lock_guard lock{mutex_};
      for (Command* command : group) {
        command->done = true;
        command->answered.notify_one();
      }
    }
  }

  Bare& bare_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Command*> waiting_;
  bool stopping_ = false;
  std::jthread thread_;
};

}  // namespace haul::bench

#pragma once
// A few threads that run tasks in the order they came. Refuses tasks when its queue is full.

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace haul::app {

class Pool {
 public:
  using Task = std::function<void()>;

  Pool(std::size_t threads, std::size_t waiting_max) : waiting_max_{waiting_max} {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
  }
  // Drops waiting tasks; waits for running ones.
  ~Pool() {
    {
      const Lock lock{mutex_};
      stopping_ = true;
      came_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // False if too many tasks are waiting.
  [[nodiscard]] bool post(Task task) {
    const Lock lock{mutex_};
    if (waiting_.size() >= waiting_max_) return false;
    waiting_.push_back(std::move(task));
    came_.notify_one();
    return true;
  }

 private:
  void run() {
    for (;;) {
      Task task;
      {
        const Lock lock{mutex_};
        came_.wait(mutex_, [this]() REQUIRES(mutex_) { return stopping_ || !waiting_.empty(); });
        if (stopping_) return;
        task = std::move(waiting_.front());
        waiting_.pop_front();
      }
      task();
    }
  }

  const std::size_t waiting_max_;
  Mutex mutex_;
  Condition came_;
  std::deque<Task> waiting_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace haul::app

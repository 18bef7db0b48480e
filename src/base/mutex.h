#pragma once
// A mutex that clang's thread-safety analysis understands; libstdc++'s own carries no annotations.

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define HAUL_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define HAUL_THREAD_ATTRIBUTE(x)
#endif

#define CAPABILITY(x) HAUL_THREAD_ATTRIBUTE(capability(x))
#define SCOPED_CAPABILITY HAUL_THREAD_ATTRIBUTE(scoped_lockable)
#define GUARDED_BY(x) HAUL_THREAD_ATTRIBUTE(guarded_by(x))
#define REQUIRES(...) HAUL_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define ACQUIRE(...) HAUL_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define HAUL_NO_THREAD_SAFETY HAUL_THREAD_ATTRIBUTE(no_thread_safety_analysis)
#define RELEASE(...) HAUL_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))

namespace haul {

class CAPABILITY("mutex") Mutex {
 public:
  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

class SCOPED_CAPABILITY Lock {
 public:
  explicit Lock(Mutex& mutex) ACQUIRE(mutex) : mutex_{mutex} { mutex_.lock(); }
  ~Lock() RELEASE() { mutex_.unlock(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  Mutex& mutex_;
};

// Waits on a Mutex that the caller holds, and holds it again when a wait returns.
class Condition {
 public:
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

  template <class Ready>
  void wait(Mutex& mutex, Ready ready) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock{mutex.mutex_, std::adopt_lock};
    condition_.wait(lock, ready);
    lock.release();
  }

  // False if the timeout passed before `ready` was true.
  template <class Ready>
  bool wait_for(Mutex& mutex, std::chrono::microseconds timeout, Ready ready) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock{mutex.mutex_, std::adopt_lock};
    const bool is_ready = condition_.wait_for(lock, timeout, ready);
    lock.release();
    return is_ready;
  }

 private:
  std::condition_variable condition_;
};

}  // namespace haul

#pragma once
// Stops one thread of another process, while its other threads go on.

#include <fmt/core.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <fstream>
#include <stdexcept>

#include "support/run/moment.h"

namespace haul::testing {

// Stops it while it waits for other threads, so that it holds no lock that they need. Lets it go on
// when destroyed. Use it from one thread only, as ptrace demands.
class HeldThread {
 public:
  explicit HeldThread(pid_t thread) : thread_{thread} {
    if (::ptrace(PTRACE_SEIZE, thread_, nullptr, nullptr) != 0 ||
        !comes_true([this] { return stops_in_wait(); }))
      throw std::runtime_error{"cannot stop a thread of a child"};
  }
  // Does nothing if the process was killed meanwhile.
  ~HeldThread() { ::ptrace(PTRACE_DETACH, thread_, nullptr, nullptr); }
  HeldThread(const HeldThread&) = delete;
  HeldThread& operator=(const HeldThread&) = delete;

 private:
  // If it does something else, it goes on.
  bool stops_in_wait() const {
    int status = 0;
    if (::ptrace(PTRACE_INTERRUPT, thread_, nullptr, nullptr) != 0 ||
        ::waitpid(thread_, &status, __WALL) != thread_)
      return false;
    long call = -1;
    std::ifstream{fmt::format("/proc/{0}/task/{0}/syscall", thread_)} >> call;
    if (call == SYS_futex) return true;
    ::ptrace(PTRACE_CONT, thread_, nullptr, nullptr);
    return false;
  }

  const pid_t thread_;
};

}  // namespace haul::testing

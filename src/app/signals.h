#pragma once
// Ctrl-C and termination as a descriptor to read, so that no signal handler interrupts other code.

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <chrono>

#include "io/file/folder.h"

namespace haul::app {

class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    sigaddset(&set_, SIGHUP);
    ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);  // Before any thread: threads inherit it.
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);  // At the file size limit, write() fails instead.
    fd_ = io::Descriptor{::signalfd(-1, &set_, SFD_CLOEXEC | SFD_NONBLOCK)};
  }
  // Returns when a signal comes or the time is up.
  void wait(std::chrono::milliseconds at_most) const {
    pollfd watched{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    ::poll(&watched, 1, static_cast<int>(at_most.count()));
  }
  int count() {
    signalfd_siginfo seen{};
    while (::read(fd_.get(), &seen, sizeof seen) == sizeof seen) {
      ++count_;
      by_hand_ = by_hand_ || seen.ssi_signo == SIGINT;
    }
    return count_;
  }
  bool by_hand() const { return by_hand_; }

 private:
  sigset_t set_{};
  io::Descriptor fd_;
  int count_ = 0;
  bool by_hand_ = false;
};

}  // namespace haul::app

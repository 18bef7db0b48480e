#pragma once
// One thread that watches descriptors: the pipes of child processes and the sockets of their proxy.
// Whoever uses it lives on that thread, as users of the HTTP loop live on theirs.

#include <cstdint>
#include <functional>
#include <memory>

#include "base/clock.h"

namespace haul {

struct Ready {
  bool to_read = false;  // Or it has ended: reading tells.
  bool to_write = false;
};

struct Interest {
  bool reads = true;
  bool writes = false;

  bool operator==(const Interest&) const = default;
};

// Takes work to the loop from any thread, and may outlive it: then nothing is done.
class Poster {
 public:
  virtual ~Poster() = default;
  virtual void post(std::function<void()> work) = 0;
};

class PollLoop {
 public:
  virtual ~PollLoop() = default;

  // From any thread: runs on the loop, soon.
  virtual void post(std::function<void()> work) = 0;
  virtual std::shared_ptr<Poster> poster() const = 0;

  // On the loop only.
  virtual void after(Millis wait, std::function<void()> work) = 0;
  // Tells whenever the descriptor is ready; `want` changes for what.
  virtual void watch(int fd, Interest interest, std::function<void(Ready)> tell) = 0;
  virtual void want(int fd, Interest interest) = 0;
  // Nothing is told of it any more. Before it is closed.
  virtual void forget(int fd) = 0;
};

std::unique_ptr<PollLoop> make_poll_loop(const Clock& clock);

}  // namespace haul

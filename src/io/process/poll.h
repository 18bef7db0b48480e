#pragma once
// One thread that watches descriptors: the pipes of child processes and the sockets of their proxy.
// Its users live on that thread, as users of the HTTP loop live on theirs.

#include <cstdint>
#include <functional>
#include <memory>

#include "base/clock.h"

namespace haul::io {

struct Ready {
  bool to_read = false;  // Also at its end or on an error: a read tells.
  bool to_write = false;
};

struct Interest {
  bool reads = true;
  bool writes = false;

  bool operator==(const Interest&) const = default;
};

// Posts work to the loop from any thread. It may outlive the loop; then the work never runs.
class Poster {
 public:
  virtual ~Poster() = default;
  virtual void post(std::function<void()> work) = 0;
};

class PollLoop {
 public:
  virtual ~PollLoop() = default;

  // From any thread: runs `work` on the loop's thread soon.
  virtual void post(std::function<void()> work) = 0;
  virtual std::shared_ptr<Poster> poster() const = 0;

  // Call the functions below on the loop's thread only.
  virtual void after(Millis wait, std::function<void()> work) = 0;
  // Calls `tell` whenever the descriptor is ready. want() changes the interest.
  virtual void watch(int fd, Interest interest, std::function<void(Ready)> tell) = 0;
  virtual void want(int fd, Interest interest) = 0;
  // Ends the calls for a descriptor. Call it before the descriptor is closed.
  virtual void forget(int fd) = 0;
};

std::unique_ptr<PollLoop> make_poll_loop(const Clock& clock);

}  // namespace haul::io

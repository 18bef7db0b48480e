#pragma once
// Names of hosts turned into addresses, off the loop's thread: a name server may be silent for as
// long as it likes.

#include <sys/socket.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/fault.h"
#include "io/poll.h"

namespace haul {

struct Resolved {
  sockaddr_storage address{};
  socklen_t size = 0;

  const sockaddr& any() const { return reinterpret_cast<const sockaddr&>(address); }
};

using Addresses = Result<std::vector<Resolved>>;

// `host` as canonical_host makes it. `done` runs on the loop, if whoever asked is still `alive`: a
// lookup cannot be called back.
void resolve(const PollLoop& loop, const std::string& host, std::uint16_t port,
             std::weak_ptr<const bool> alive, std::function<void(const Addresses&)> done);

}  // namespace haul

#pragma once
// Resolves host names on a thread of their own, because a name server may stay silent for long.

#include <sys/socket.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/fault.h"
#include "io/process/poll.h"

namespace haul::io {

struct Resolved {
  sockaddr_storage address{};
  socklen_t size = 0;

  const sockaddr& any() const { return reinterpret_cast<const sockaddr&>(address); }
};

using Addresses = Result<std::vector<Resolved>>;

// `host` is in the form that canonical_host makes. `done` runs on the loop's thread, unless `alive`
// has expired by then: a lookup cannot be cancelled.
void resolve(const PollLoop& loop, const std::string& host, std::uint16_t port,
             std::weak_ptr<const bool> alive, std::function<void(const Addresses&)> done);

}  // namespace haul::io

#pragma once
// A proxy on this machine for one program that haul runs: the program's only way to the network.
// Every request and every tunnel passes the gate of the limits per host. The proxy connects to no
// address that `reach` refuses. It closes when its owner destroys it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/fault.h"
#include "io/process/poll.h"
#include "io/web/address.h"
#include "io/web/throttle.h"
#include "seam/gate.h"

namespace haul::io {

struct ProxyOptions {
  std::int64_t start = 0;  // The start whose limits apply at the gate.
  std::string token;       // The password, which keeps other users of this machine out.
  Reach reach;
  Millis stall_timeout{30'000};  // No byte for this long ends a connection.
  SpeedRule speed{};             // Waiting for the speed limit is not a stall.
};

// Use it on the loop's thread only.
class Proxy {
 public:
  virtual ~Proxy() = default;
  virtual std::uint16_t port() const = 0;
  // The proxy's URL with the password, as programs expect it.
  virtual std::string address() const = 0;
  // Uses another start's limits from now on: the first start is over, but the program goes on.
  virtual void ask_as(std::int64_t start) = 0;
  // Bytes received from servers so far.
  virtual std::int64_t received() const = 0;
  // The last time the proxy refused an address that `reach` does not permit. Empty if it never did.
  virtual std::optional<Fault> refusal() const = 0;
};

Result<std::unique_ptr<Proxy>> open_proxy(PollLoop& loop, Gate& gate, const Clock& clock,
                                          const ProxyOptions& options);

}  // namespace haul::io

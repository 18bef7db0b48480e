#pragma once
// The only way to the net for a program that runs for haul: a proxy of its own on this machine.
// Every request and every tunnel passes the gate to its host's limit, and no address is connected
// to that the policy refuses. It ends with whoever opened it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/fault.h"
#include "io/address.h"
#include "io/gate.h"
#include "io/poll.h"
#include "io/throttle.h"

namespace haul {

struct ProxyAsk {
  std::int64_t start = 0;  // Under whose rule it asks the gate.
  std::string token;       // The password: others on this machine do not have it.
  Reach reach;
  Millis stall_timeout{30'000};  // No byte for this long ends a connection,
  SpeedRule speed{};             // but to wait for this is no stall.
};

// On the loop's thread, all of it.
class Proxy {
 public:
  virtual ~Proxy() = default;
  virtual std::uint16_t port() const = 0;
  // With its password, as programs want it.
  virtual std::string address() const = 0;
  // Another start goes on where the first is over.
  virtual void ask_as(std::int64_t start) = 0;
  // Bytes that came from servers so far.
  virtual std::int64_t received() const = 0;
  // Why the last connection could not be, if that was our own doing: an address refused.
  virtual std::optional<Fault> refusal() const = 0;
};

Result<std::unique_ptr<Proxy>> open_proxy(PollLoop& loop, Gate& gate, const Clock& clock,
                                          const ProxyAsk& ask);

}  // namespace haul

#pragma once
// Engines ask here before every request, so that haul keeps the limits per host. A start is one
// attempt of an engine at an item; it holds its slots at a host under its number. The worker gives
// all of them back when the start is over. Call from any thread.

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"

namespace haul {

class Gate {
 public:
  virtual ~Gate() = default;

  // Asks for a slot for the start's next request to this host. First gives back a slot it has at
  // another host, so that no start waits for one slot while it holds another. False if the start
  // has to wait: ask again later.
  virtual bool pass(std::int64_t start, const std::string& host) = 0;
  // Takes one more slot at the start's current host. False if none is free now.
  virtual bool more(std::int64_t start) = 0;
  // Gives back the slots of a start that sends no more requests. Returns how many it had.
  virtual std::size_t done(std::int64_t start) = 0;
  // Gives back one slot that more() took.
  virtual void less(std::int64_t start) = 0;
  // Takes a separate slot for one connection of a program that a start runs, under the start's
  // limits. It is held until leave(), even if the start ends first. Empty if the caller has to
  // wait: ask again later.
  virtual std::optional<std::int64_t> enter(std::int64_t start, const std::string& host) = 0;
  virtual void leave(std::int64_t door) = 0;
  // Counts a request under a name that all workers share, at least this long after the one before.
  // Zero if the request may begin now; otherwise how long to wait before it asks again. Holds no
  // slot. A block() of the name is obeyed too.
  virtual Millis pace(const std::string& /*name*/, Millis /*apart*/) { return Millis{0}; }
  // The host asked for no requests for this long.
  virtual void block(const std::string& host, std::int64_t wait_ms) = 0;
};

}  // namespace haul

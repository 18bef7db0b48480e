#pragma once
// The seam to the limits per host, for engines: every request passes here first. A start holds its
// places under its own number; whoever started it gives all of them back when it is over. Any
// thread.

#include <cstdint>
#include <optional>
#include <string>

namespace haul {

class Gate {
 public:
  virtual ~Gate() = default;

  // Lets the start's next request go to this host: its place, if it has one elsewhere, is given
  // back first, so that nobody waits for one place while holding another. False: not yet.
  virtual bool pass(std::int64_t start, const std::string& host) = 0;
  // A further place at the host where the start is: false if there is none now.
  virtual bool more(std::int64_t start) = 0;
  // Gives one of the further places back.
  virtual void less(std::int64_t start) = 0;
  // A place of its own for one connection of a program that a start runs, under the start's rule.
  // It is held until it is left, whatever becomes of the start meanwhile. Nothing: not yet.
  virtual std::optional<std::int64_t> enter(std::int64_t start, const std::string& host) = 0;
  virtual void leave(std::int64_t door) = 0;
  // The host asked to be left alone for so long.
  virtual void block(const std::string& host, std::int64_t wait_ms) = 0;
};

}  // namespace haul

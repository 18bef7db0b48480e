#pragma once
// A worker's places at hosts, out of the limits that all workers share. Where starts need not be
// apart, a place passes from one item to the next in memory, for a second at most: then it goes
// back, so that others get their turn.

#include <map>
#include <string>

#include "base/clock.h"
#include "store/limits.h"

namespace haul {

class Places {
 public:
  Places(Limits& limits, const Clock& clock, WorkerId worker);

  // A place at the host, if there is one now.
  bool take(const std::string& host, const HostRule& rule);
  void give(const std::string& host);
  // Gives back what was given and not taken again.
  void give_back_spare();
  void give_all();

 private:
  struct Host {
    std::size_t spare = 0;
    bool passes_on = false;  // Its rule lets starts follow one another at once.
    Steady since;            // When places were last taken from the store.
    Steady full_until;       // Not worth asking before.
  };

  Limits& limits_;
  const Clock& clock_;
  const WorkerId worker_;
  std::map<std::string, Host> hosts_;
};

}  // namespace haul

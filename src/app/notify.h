#pragma once
// Tells the service manager how we are, where there is one.

#include <string>
#include <string_view>

#include "base/time.h"

namespace haul {

class Notify {
 public:
  Notify();
  void say(std::string_view state) const;  // "READY=1", "STOPPING=1", "WATCHDOG=1"
  // How often it wants to hear of us; zero: never.
  Millis watchdog_every() const { return every_; }

 private:
  std::string socket_;
  Millis every_{0};
};

}  // namespace haul

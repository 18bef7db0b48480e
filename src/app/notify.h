#pragma once
// Reports the daemon's state to the service manager, if there is one.

#include <string>
#include <string_view>

#include "base/time.h"

namespace haul::app {

class Notify {
 public:
  Notify();
  void say(std::string_view state) const;  // "READY=1", "STOPPING=1", "WATCHDOG=1"
  // How often the service manager expects a report. Zero: never.
  Millis watchdog_every() const { return every_; }

 private:
  std::string socket_;
  Millis every_{0};
};

}  // namespace haul::app

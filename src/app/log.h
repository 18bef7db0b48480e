#pragma once
// The daemon's log: one line of JSON per event, on standard error.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"

namespace haul {

enum class Level : std::uint8_t { debug, info, warning, error };

class Log {
 public:
  using Fields = std::initializer_list<std::pair<std::string_view, std::string>>;

  Log(const Clock& clock, Level least) : clock_{clock}, least_{least} {}
  void say(Level level, std::string_view what, Fields fields = {}) const;

 private:
  const Clock& clock_;
  const Level least_;
  mutable Mutex mutex_;
};

// Parses debug, info, warning or error.
Level level_named(std::string_view name);

}  // namespace haul

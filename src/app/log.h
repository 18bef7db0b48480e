#pragma once
// The daemon's log: one line of JSON per event, on standard error.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/level.h"
#include "base/mutex.h"

namespace haul::app {

class Log {
 public:
  using Field = std::pair<std::string_view, std::string>;

  Log(const Clock& clock, Level least) : clock_{clock}, least_{least} {}
  void say(Level level, std::string_view what, std::initializer_list<Field> fields = {}) const {
    say_fields(level, what, {fields.begin(), fields.size()});
  }
  void say_fields(Level level, std::string_view what, std::span<const Field> fields) const;

 private:
  const Clock& clock_;
  const Level least_;
  mutable Mutex mutex_;
};

// Parses debug, info, warning or error.
Level level_named(std::string_view name);

}  // namespace haul::app

#pragma once
// A line that the API has for the daemon's log, which redacts and bounds each value.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/level.h"

namespace haul {

struct Notice {
  Level level = Level::info;
  std::string_view event;  // Stable word.
  std::vector<std::pair<std::string_view, std::string>> fields{};
};

using Say = std::function<void(const Notice&)>;

}  // namespace haul

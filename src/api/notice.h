#pragma once
// A line that the API writes to the daemon's log. The log redacts and bounds each value.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/level.h"

namespace haul::api {

struct Notice {
  Level level = Level::info;
  std::string_view event;  // Stable word.
  std::vector<std::pair<std::string_view, std::string>> fields{};
};

using Say = std::function<void(const Notice&)>;

}  // namespace haul::api

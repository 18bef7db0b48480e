#pragma once
// Reads dates as HTTP writes them.

#include <optional>
#include <string_view>

#include "base/time.h"

namespace haul::io {

// "Sun, 15 Nov 2026 08:00:00 GMT" and the older forms. Empty if it is not a date.
std::optional<Time> read_http_date(std::string_view text);

}  // namespace haul::io

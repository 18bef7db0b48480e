#pragma once
// Reads a time as other programs keep it in an SQLite database.

#include <optional>
#include <string_view>

#include "base/time.h"

namespace haul::flow {

// "2026-01-19", "2026-01-19 10:00:00" or "2026-01-19T10:00:00.5", with "Z", "+01:00" or Go's
// " +0100 CET m=+0.1" behind it, or the seconds or milliseconds since 1970. Without a zone it is
// UTC. Nothing for any other text, and for a time before 1970.
std::optional<Time> read_old_time(std::string_view given);

}  // namespace haul::flow

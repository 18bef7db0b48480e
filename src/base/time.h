#pragma once
// Time for rows and people (UTC, milliseconds) and time for deadlines (steady, never jumps).

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace haul {

using Millis = std::chrono::milliseconds;
using Time = std::chrono::sys_time<Millis>;
using Steady = std::chrono::time_point<std::chrono::steady_clock, Millis>;

constexpr Time from_unix_ms(std::int64_t unix_ms) { return Time{Millis{unix_ms}}; }
constexpr std::int64_t to_unix_ms(Time at) { return at.time_since_epoch().count(); }

// "2026-02-03T04:05:06.789Z": what the API and the logs print.
std::string to_iso(Time at);

// Reads "500ms", "15s", "5m", "1h", "2d" or a bare 0. Nothing for any other text.
std::optional<Millis> read_duration(std::string_view text);

// The same format, in the largest unit that leaves no rest: "1h", "90m", "0".
std::string duration_text(Millis duration);

// "20260203-040506": sorts, and is safe in a file name.
std::string to_file_stamp(Time at);

}  // namespace haul

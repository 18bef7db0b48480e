#pragma once
// Time for rows and people (UTC, milliseconds) and time for deadlines (steady, never jumps).

#include <chrono>
#include <cstdint>
#include <string>

namespace haul {

using Millis = std::chrono::milliseconds;
using Time = std::chrono::sys_time<Millis>;
using Steady = std::chrono::time_point<std::chrono::steady_clock, Millis>;

constexpr Time from_unix_ms(std::int64_t unix_ms) { return Time{Millis{unix_ms}}; }
constexpr std::int64_t to_unix_ms(Time at) { return at.time_since_epoch().count(); }

// "2026-02-03T04:05:06.789Z": what the API and the logs print.
std::string to_iso(Time at);

// "20260203-040506": sorts, and is safe in a file name.
std::string to_file_stamp(Time at);

}  // namespace haul

#pragma once
// Speed limits by time of day: which limit holds at a time, and until when. Pure: the caller passes
// in the time and the zone.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace haul {

using Minutes = std::chrono::minutes;
using LocalTime = std::chrono::local_time<Millis>;

// How far the local time is ahead of UTC at that time.
using ZoneOffset = Millis (*)(Time at);
inline Millis utc(Time) { return Millis{0}; }
// The zone of this machine (TZ, or /etc/localtime), read once by the process.
Millis local_offset(Time at);

inline constexpr std::uint8_t kEveryDay = 0x7F;
inline constexpr std::size_t kSpeedWindowsMax = 64;

// Holds on the days on which it begins, from `from` until before `to`. If `to` is not later than
// `from`, it ends on the next day.
struct SpeedWindow {
  std::uint8_t days = kEveryDay;  // Bit 0 is Sunday.
  Minutes from{0};                // Since local midnight.
  Minutes to{0};
  std::int64_t per_second = 0;  // Bytes; zero for no limit.

  bool operator==(const SpeedWindow&) const = default;
};

// Reads "08:00-18:00 2M", "mon-fri 22:00-06:00 unlimited" or "sat 00:00-24:00 500K". The error says
// what is wrong with the text and what was expected.
std::expected<SpeedWindow, std::string> read_speed_window(std::string_view text);

// The first window that holds. A local time that a change of the clocks skips never comes; one that
// it repeats comes twice.
std::optional<std::size_t> window_at(std::span<const SpeedWindow> windows, LocalTime at);

struct SpeedPlan {
  std::int64_t otherwise = 0;  // Holds outside every window. Bytes per second; zero for no limit.
  std::vector<SpeedWindow> windows{};
  ZoneOffset zone = utc;
};

// Bytes per second; zero for no limit.
std::int64_t rate_at(const SpeedPlan& plan, Time now);

struct SpeedNow {
  std::int64_t per_second = 0;          // Zero for no limit.
  std::optional<std::size_t> window{};  // The window that sets it. Nothing: SpeedPlan::otherwise.
  std::optional<Time> until{};          // When another limit begins. Nothing: never.

  bool operator==(const SpeedNow&) const = default;
};

SpeedNow speed_at(const SpeedPlan& plan, Time now);

// The setting that the limit comes from: "transfer.speed_schedule[0]".
std::string set_by(const SpeedNow& speed);

}  // namespace haul

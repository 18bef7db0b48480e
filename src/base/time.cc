#include "base/time.h"

#include <fmt/core.h>

#include <charconv>
#include <utility>

namespace haul {
namespace {

struct Parts {
  std::chrono::year_month_day day;
  std::chrono::hh_mm_ss<Millis> clock;
};

Parts split(Time at) {
  const auto midnight = std::chrono::floor<std::chrono::days>(at);
  return {std::chrono::year_month_day{midnight}, std::chrono::hh_mm_ss<Millis>{at - midnight}};
}

}  // namespace

std::string to_iso(Time at) {
  const auto [day, clock] = split(at);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", int{day.year()},
                     unsigned{day.month()}, unsigned{day.day()}, clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::string to_file_stamp(Time at) {
  const auto [day, clock] = split(at);
  return fmt::format("{:04}{:02}{:02}-{:02}{:02}{:02}", int{day.year()}, unsigned{day.month()},
                     unsigned{day.day()}, clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count());
}

std::optional<Millis> read_duration(std::string_view text) {
  constexpr std::pair<std::string_view, std::int64_t> kUnits[] = {
      {"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
  constexpr std::int64_t kLargest = 1'000'000'000;  // Of any unit: far from where a sum overflows.
  std::int64_t number = 0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [at, error] = std::from_chars(begin, end, number);
  if (error != std::errc{} || number < 0 || number > kLargest) return std::nullopt;
  const std::string_view unit{at, static_cast<std::size_t>(end - at)};
  if (unit.empty() && number == 0) return Millis{0};
  for (const auto& [name, millis] : kUnits)
    if (unit == name) return Millis{number * millis};
  return std::nullopt;
}

}  // namespace haul

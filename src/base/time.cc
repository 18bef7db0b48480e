#include "base/time.h"

#include <fmt/core.h>

#include <charconv>

namespace haul {
namespace {

struct DurationUnit {
  std::string_view name;
  std::int64_t millis;
};
constexpr DurationUnit kDurationUnits[] = {
    {"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};

struct DayAndClock {
  std::chrono::year_month_day day;
  std::chrono::hh_mm_ss<Millis> clock;
};

DayAndClock split(Time at) {
  const auto midnight = std::chrono::floor<std::chrono::days>(at);
  return {std::chrono::year_month_day{midnight}, std::chrono::hh_mm_ss<Millis>{at - midnight}};
}

void append_digits(std::string& text, std::int64_t number, int digits) {
  const std::size_t begin = text.size();
  text.append(static_cast<std::size_t>(digits), '0');
  for (std::size_t at = text.size(); number > 0 && at > begin; number /= 10)
    text[--at] = static_cast<char>('0' + number % 10);
}

}  // namespace

// Every API answer has several timestamps. fmt::format, which parses its format string on each
// call, takes four times as long as this.
std::string to_iso(Time at) {
  const auto [day, clock] = split(at);
  std::string text;
  text.reserve(24);
  append_digits(text, int{day.year()}, int{day.year()} > 9'999 ? 5 : 4);
  append_digits(text += '-', unsigned{day.month()}, 2);
  append_digits(text += '-', unsigned{day.day()}, 2);
  append_digits(text += 'T', clock.hours().count(), 2);
  append_digits(text += ':', clock.minutes().count(), 2);
  append_digits(text += ':', clock.seconds().count(), 2);
  append_digits(text += '.', clock.subseconds().count(), 3);
  return text += 'Z';
}

std::string to_file_stamp(Time at) {
  const auto [day, clock] = split(at);
  return fmt::format("{:04}{:02}{:02}-{:02}{:02}{:02}", int{day.year()}, unsigned{day.month()},
                     unsigned{day.day()}, clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count());
}

std::optional<Millis> read_duration(std::string_view text) {
  constexpr std::int64_t kLargest = 1'000'000'000;  // In any unit; far below overflow.
  std::int64_t number = 0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [at, error] = std::from_chars(begin, end, number);
  if (error != std::errc{} || number < 0 || number > kLargest) return std::nullopt;
  const std::string_view unit{at, static_cast<std::size_t>(end - at)};
  if (unit.empty() && number == 0) return Millis{0};
  for (const auto& [name, millis] : kDurationUnits)
    if (unit == name) return Millis{number * millis};
  return std::nullopt;
}

std::string duration_text(Millis duration) {
  const std::int64_t count = duration.count();
  if (count == 0) return "0";
  DurationUnit largest = kDurationUnits[0];
  for (const DurationUnit& unit : kDurationUnits)
    if (count % unit.millis == 0) largest = unit;
  return fmt::format("{}{}", count / largest.millis, largest.name);
}

}  // namespace haul

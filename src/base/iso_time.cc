#include "base/iso_time.h"

#include <algorithm>

#include "base/ascii.h"

namespace haul {
namespace {

// Takes so many digits off the front. Nothing if there are fewer.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count || !std::ranges::all_of(text.substr(0, count), is_digit))
    return std::nullopt;
  int value = 0;
  for (const char digit : text.substr(0, count)) value = value * 10 + (digit - '0');
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<std::chrono::sys_days> take_day(std::string_view& text) {
  const auto year = take_digits(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_digits(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_digits(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days{date};
}

// ".5" is 500 ms.
std::optional<Millis> take_fraction(std::string_view& text) {
  int value = 0;
  int scale = 1'000;
  while (!text.empty() && is_digit(text.front()) && scale > 1) {
    scale /= 10;
    value += (text.front() - '0') * scale;
    text.remove_prefix(1);
  }
  if (scale == 1'000) return std::nullopt;
  return Millis{value};
}

}  // namespace

std::optional<Time> read_iso(std::string_view text) {
  const auto day = take_day(text);
  if (!day || !take(text, 'T')) return std::nullopt;
  const auto hours = take_digits(text, 2);
  if (!hours || *hours > 23 || !take(text, ':')) return std::nullopt;
  const auto minutes = take_digits(text, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  Time at = *day + std::chrono::hours{*hours} + std::chrono::minutes{*minutes};
  if (take(text, ':')) {
    const auto seconds = take_digits(text, 2);
    if (!seconds || *seconds > 59) return std::nullopt;
    at += std::chrono::seconds{*seconds};
    if (take(text, '.')) {
      const auto fraction = take_fraction(text);
      if (!fraction) return std::nullopt;
      at += *fraction;
    }
  }
  if (text != "Z") return std::nullopt;
  return at;
}

}  // namespace haul

#include "base/speed_schedule.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/ascii.h"
#include "base/request_value.h"
#include "base/size.h"
#include "base/text.h"

namespace haul {
namespace {

using std::chrono::days;

constexpr Minutes kDay{24 * 60};
constexpr unsigned kWeek = 7;
constexpr std::array<std::string_view, kWeek> kDays{"sun", "mon", "tue", "wed",
                                                    "thu", "fri", "sat"};
// Zones change their offset at whole quarters of an hour, so one look lasts that long.
constexpr Minutes kOffsetHolds{15};
// A schedule repeats after a week; a change of the clocks moves it by less than a day.
constexpr days kAhead{8};

LocalTime local(const SpeedPlan& plan, Time at) {
  return LocalTime{at.time_since_epoch() + plan.zone(at)};
}

std::int64_t rate_in(const SpeedPlan& plan, LocalTime at) {
  const auto window = window_at(plan.windows, at);
  return window ? plan.windows[*window].per_second : plan.otherwise;
}

std::optional<unsigned> day_of(std::string_view word) {
  const auto* const found = std::ranges::find(kDays, lower(word));
  if (found == kDays.end()) return std::nullopt;
  return static_cast<unsigned>(found - kDays.begin());
}

// "mon", "mon-fri", or "fri-mon" over the weekend.
std::optional<std::uint8_t> days_of(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = day_of(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : day_of(text.substr(dash + 1));
  if (!first || !last) return std::nullopt;
  unsigned all = 0;
  for (unsigned day = *first, left = kWeek; left > 0; day = (day + 1) % kWeek, --left) {
    all |= 1U << day;
    if (day == *last) break;
  }
  return static_cast<std::uint8_t>(all);
}

// "08:00" to "24:00".
std::optional<Minutes> time_of_day(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  for (const std::size_t at : {0, 1, 3, 4})
    if (text[at] < '0' || text[at] > '9') return std::nullopt;
  const auto digits = [&](std::size_t at) { return (text[at] - '0') * 10 + text[at + 1] - '0'; };
  const Minutes time{digits(0) * 60 + digits(3)};
  if (digits(3) > 59 || time > kDay) return std::nullopt;
  return time;
}

// The words of a text, at most four.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (words.size() < 4) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    const std::size_t size = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return words;
}

std::unexpected<std::string> wrong(std::string_view text, std::string_view why) {
  return std::unexpected{fmt::format("\"{}\" {}", printable(text), why)};
}

}  // namespace

Millis local_offset(Time at) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(at);
  const std::time_t seconds = whole.time_since_epoch().count();
  std::tm parts{};
  if (::localtime_r(&seconds, &parts) == nullptr) return Millis{0};
  return std::chrono::seconds{parts.tm_gmtoff};
}

std::expected<SpeedWindow, std::string> read_speed_window(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  if (words.size() < 2 || words.size() > 3)
    return wrong(text,
                 "is not a window (expected e.g. \"08:00-18:00 2M\" or "
                 "\"mon-fri 22:00-06:00 unlimited\")");
  SpeedWindow window;
  if (words.size() == 3) {
    const auto days = days_of(words.front());
    if (!days) return wrong(words.front(), "names no days (expected e.g. mon-fri or sat)");
    window.days = *days;
  }
  const std::string_view times = words[words.size() - 2];
  const std::size_t dash = std::min(times.find('-'), times.size());
  const auto from = time_of_day(times.substr(0, dash));
  const auto to = time_of_day(times.substr(std::min(dash + 1, times.size())));
  if (!from || !to || *from == kDay)
    return wrong(times, "is not two times of day (expected e.g. 08:00-18:00, at most 24:00)");
  if (*from == *to)
    return wrong(times, "is empty (expected two different times; 00:00-24:00 is a whole day)");
  window.from = *from;
  window.to = *to;
  const std::string_view rate = words.back();
  if (lower(rate) == "unlimited") return window;
  const auto per_second = read_size(rate);
  if (!per_second || *per_second < kSpeedLimitMin)
    return wrong(rate, "is not a speed (expected at least 1K per second, or unlimited)");
  window.per_second = *per_second;
  return window;
}

std::optional<std::size_t> window_at(std::span<const SpeedWindow> windows, LocalTime at) {
  const auto midnight = std::chrono::floor<days>(at);
  const auto since = std::chrono::floor<Minutes>(at - midnight);
  const unsigned today = std::chrono::weekday{midnight}.c_encoding();
  const unsigned yesterday = (today + kWeek - 1) % kWeek;
  const auto begins_on = [](const SpeedWindow& window, unsigned day) {
    return (window.days >> day & 1U) != 0;
  };
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const SpeedWindow& each = windows[i];
    const bool ends_today = each.from < each.to;
    const bool began_today =
        begins_on(each, today) && since >= each.from && (!ends_today || since < each.to);
    const bool began_yesterday = !ends_today && begins_on(each, yesterday) && since < each.to;
    if (began_today || began_yesterday) return i;
  }
  return std::nullopt;
}

std::int64_t rate_at(const SpeedPlan& plan, Time now) {
  return plan.windows.empty() ? plan.otherwise : rate_in(plan, local(plan, now));
}

SpeedNow speed_at(const SpeedPlan& plan, Time now) {
  if (plan.windows.empty()) return {.per_second = plan.otherwise};
  const LocalTime here = local(plan, now);
  SpeedNow speed{.per_second = rate_in(plan, here), .window = window_at(plan.windows, here)};
  const Time end = now + kAhead;
  for (Time part = std::chrono::floor<Minutes>(now); part < end && !speed.until;) {
    const Millis offset = plan.zone(std::max(part, now));
    const Time next =
        std::chrono::floor<Minutes>(part) + kOffsetHolds - part.time_since_epoch() % kOffsetHolds;
    for (; part < next && !speed.until; part += Minutes{1})
      if (part > now &&
          rate_in(plan, LocalTime{part.time_since_epoch() + offset}) != speed.per_second)
        speed.until = part;
  }
  return speed;
}

std::string set_by(const SpeedNow& speed) {
  if (!speed.window) return "transfer.speed_limit";
  return fmt::format("transfer.speed_schedule[{}]", *speed.window);
}

}  // namespace haul

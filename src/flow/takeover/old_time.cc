#include "flow/takeover/old_time.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/ascii.h"

namespace haul::flow {
namespace {

constexpr std::size_t kDigitsMin = 9;   // Seconds of the year 1973.
constexpr std::size_t kDigitsMax = 14;  // Milliseconds of the year 5138.
constexpr std::int64_t kSecondsMax = 100'000'000'000;

// Takes pieces off the front of a text.
class Pieces {
 public:
  explicit Pieces(std::string_view text) : rest_{text} {}

  std::string_view rest() const { return rest_; }
  // Takes one of these characters. Zero if another one is next.
  char take(std::string_view any) {
    if (rest_.empty() || any.find(rest_.front()) == std::string_view::npos) return 0;
    const char taken = rest_.front();
    rest_.remove_prefix(1);
    return taken;
  }
  // Takes exactly this many digits. Nothing if there are fewer.
  std::optional<int> number(std::size_t digits) {
    if (rest_.size() < digits || !std::ranges::all_of(rest_.substr(0, digits), is_digit))
      return std::nullopt;
    int value = 0;
    std::from_chars(rest_.data(), rest_.data() + digits, value);
    rest_.remove_prefix(digits);
    return value;
  }
  // The milliseconds of a fraction of a second. Takes all digits.
  Millis fraction() {
    int millis = 0;
    for (int unit = 100; !rest_.empty() && is_digit(rest_.front()); unit /= 10) {
      millis += unit * (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return Millis{millis};
  }

 private:
  std::string_view rest_;
};

std::optional<Time> read_count(std::string_view text) {
  if (text.size() < kDigitsMin || text.size() > kDigitsMax || !std::ranges::all_of(text, is_digit))
    return std::nullopt;
  std::int64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return from_unix_ms(count < kSecondsMax ? count * 1'000 : count);
}

std::optional<std::chrono::sys_days> read_day(Pieces& text) {
  const auto year = text.number(4);
  if (!year || !text.take("-")) return std::nullopt;
  const auto month = text.number(2);
  if (!month || !text.take("-")) return std::nullopt;
  const auto day = text.number(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  return date.ok() ? std::optional{std::chrono::sys_days{date}} : std::nullopt;
}

// "10:00" or "1000".
std::optional<std::chrono::minutes> read_hours_and_minutes(Pieces& text) {
  const auto hours = text.number(2);
  text.take(":");
  const auto minutes = hours ? text.number(2) : std::nullopt;
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return std::chrono::hours{*hours} + std::chrono::minutes{*minutes};
}

std::optional<Millis> read_clock(Pieces& text) {
  const auto minutes = read_hours_and_minutes(text);
  if (!minutes || !text.take(":")) return std::nullopt;
  const auto seconds = text.number(2);
  if (!seconds || *seconds > 59) return std::nullopt;
  Millis clock = *minutes + std::chrono::seconds{*seconds};
  if (text.take(".")) clock += text.fraction();
  return clock;
}

// How far the zone is ahead of UTC. Go writes the zone's name and its own clock behind the number.
std::optional<std::chrono::minutes> read_zone(Pieces& text) {
  constexpr std::chrono::minutes kUtc{0};
  while (text.take(" ")) {
  }
  if (text.rest().empty() || text.rest() == "Z") return kUtc;
  const char sign = text.take("+-");
  const auto ahead = sign ? read_hours_and_minutes(text) : std::nullopt;
  if (!ahead || !(text.rest().empty() || text.rest().starts_with(' '))) return std::nullopt;
  return sign == '-' ? -*ahead : *ahead;
}

}  // namespace

std::optional<Time> read_old_time(std::string_view given) {
  if (const auto count = read_count(given)) return count;
  Pieces text{given};
  const auto day = read_day(text);
  if (!day) return std::nullopt;
  Time at = *day;
  if (text.take(" T")) {
    const auto clock = read_clock(text);
    const auto ahead = clock ? read_zone(text) : std::nullopt;
    if (!ahead) return std::nullopt;
    at += *clock - *ahead;
  } else if (!text.rest().empty()) {
    return std::nullopt;
  }
  return at >= Time{} ? std::optional{at} : std::nullopt;
}

}  // namespace haul::flow

#include "io/web/http_date.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace haul::io {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  unsigned number = 0;  // Unsigned, so that a sign is refused.
  const char* const first = text.data() + at;
  const auto [end, error] = std::from_chars(first, first + count, number);
  if (error != std::errc{} || end != first + count) return std::nullopt;
  return static_cast<int>(number);
}

// "Sun, 06 Nov 1994 08:49:37 GMT", as nearly every server sends it. Empty for any other form.
std::optional<Time> read_usual(std::string_view text) {
  if (text.size() != 29 || text[3] != ',' || text[19] != ':' || text[22] != ':' ||
      !text.ends_with(" GMT"))
    return std::nullopt;
  const auto month = std::ranges::find(kMonths, text.substr(8, 3));
  const auto day = digits(text, 5, 2);
  const auto year = digits(text, 12, 4);
  const auto hour = digits(text, 17, 2);
  const auto minute = digits(text, 20, 2);
  const auto second = digits(text, 23, 2);
  if (month == kMonths.end() || !day || !year || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date{
      std::chrono::year{*year},
      std::chrono::month{static_cast<unsigned>(month - kMonths.begin()) + 1},
      std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok() || *year < 1970 || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  return Time{std::chrono::sys_days{date}} + std::chrono::hours{*hour} +
         std::chrono::minutes{*minute} + std::chrono::seconds{*second};
}

}  // namespace

// The last second of the year 9999. libcurl reads years whose milliseconds fit no number.
constexpr time_t kLast = 253'402'300'799;

std::optional<Time> read_http_date(std::string_view text) {
  if (text.empty() || text.size() > 100) return std::nullopt;
  if (const auto usual = read_usual(text)) return usual;
  const time_t seconds = curl_getdate(std::string{text}.c_str(), nullptr);
  if (seconds < 0 || seconds > kLast) return std::nullopt;
  return Time{std::chrono::seconds{seconds}};
}

}  // namespace haul::io

#include "base/request_value.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "base/ascii.h"

namespace haul {
namespace {

struct Digest {
  std::string_view name;
  std::size_t digits;
};
constexpr std::array kDigests{Digest{"sha256", 64}, Digest{"sha512", 128}, Digest{"sha1", 40},
                              Digest{"md5", 32}};

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

// -1: there is something else than digits.
int digits_of(std::string_view text) {
  if (!std::ranges::all_of(text, is_digit)) return -1;
  return static_cast<int>(read_whole(text).value_or(-1));
}

}  // namespace

bool is_unset(const JsonField& field) { return field.is_null || field.json == "\"\""; }

std::optional<std::int64_t> read_whole(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end) return std::nullopt;
  return value;
}

std::optional<Checksum> read_checksum(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const std::string hex = lower(text.substr(std::min(name.size() + 1, text.size())));
  const auto known = std::ranges::find(kDigests, name, &Digest::name);
  if (known == kDigests.end() || hex.size() != known->digits || !std::ranges::all_of(hex, is_hex))
    return std::nullopt;
  return Checksum{std::string{name}, hex};
}

std::string wrong_with_checksum(std::string_view text) {
  if (read_checksum(text)) return {};
  return "expected sha256:<64 hexadecimal digits>, or sha512, sha1, md5";
}

std::optional<NamedChecksum> read_named_checksum(std::string_view text) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos || blank + 1 == text.size()) return std::nullopt;
  auto sum = read_checksum(text.substr(0, blank));
  if (!sum) return std::nullopt;
  return NamedChecksum{*std::move(sum), std::string{text.substr(blank + 1)}};
}

std::string wrong_with_named_checksum(std::string_view text) {
  if (read_named_checksum(text)) return {};
  return "expected sha256:<64 hexadecimal digits> NAME, or sha512, sha1, md5";
}

std::string wrong_with_date(std::string_view text) {
  constexpr const char* kWanted = "expected a date such as 2026-01-31";
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return kWanted;
  const int year = digits_of(text.substr(0, 4));
  const int month = digits_of(text.substr(5, 2));
  const int day = digits_of(text.substr(8, 2));
  if (year < 0 || month < 0 || day < 0) return kWanted;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  return date.ok() ? "" : "no such day";
}

std::string wrong_with_speed_limit(std::string_view text) {
  const auto limit = read_whole(text);
  if (limit && (*limit == 0 || (*limit >= kSpeedLimitMin && *limit <= kSpeedLimitMax))) return {};
  return fmt::format("expected {} to {} bytes per second, or 0 for no limit", kSpeedLimitMin,
                     kSpeedLimitMax);
}

}  // namespace haul

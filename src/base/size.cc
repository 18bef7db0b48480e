#include "base/size.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "base/ascii.h"

namespace haul {
namespace {

constexpr std::string_view kUnits = "kmgt";
constexpr std::array kNames{"B", "KiB", "MiB", "GiB", "TiB"};

}  // namespace

std::optional<std::int64_t> read_size(std::string_view text) {
  std::int64_t value = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(at - text.data()));
  const std::string unit = lower(trimmed(text));
  if (unit.empty() || unit == "b") return value;
  const auto power = kUnits.find(unit.front());
  const std::string_view rest = std::string_view{unit}.substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "ib"))
    return std::nullopt;
  const std::size_t shift = 10 * (power + 1);
  if (value > (std::numeric_limits<std::int64_t>::max() >> shift)) return std::nullopt;
  return value << shift;
}

std::string size_text(std::int64_t bytes) {
  std::int64_t value = std::max<std::int64_t>(bytes, 0);
  std::size_t unit = 0;
  while (unit + 1 < kNames.size() && value >= std::int64_t{10} * 1024) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", value, kNames[unit]);
}

}  // namespace haul

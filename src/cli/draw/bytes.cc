#include "cli/draw/bytes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace haul::cli {
namespace {

constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
constexpr std::size_t kLargest = std::size(kUnits) - 1;

// Counts 1/parts of 1024^power, rounded half up. Whole numbers, because a double rounds twice and
// would give "1024 KiB".
std::uint64_t rounded(std::uint64_t bytes, std::size_t power, std::uint64_t parts) {
  const std::size_t shift = 10 * power;
  const std::uint64_t unit = std::uint64_t{1} << shift;
  const std::uint64_t rest = bytes & (unit - 1);
  return (bytes >> shift) * parts + ((rest * parts + unit / 2) >> shift);
}

}  // namespace

std::string bytes_text(std::int64_t bytes) {
  const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0));
  if (size < 1024) return fmt::format("{} B", size);
  std::size_t power = 1;
  while (power < kLargest && rounded(size, power, 1) >= 1024) ++power;
  const std::uint64_t tenths = rounded(size, power, 10);
  if (tenths >= 1000) return fmt::format("{} {}", rounded(size, power, 1), kUnits[power]);
  return fmt::format("{}.{} {}", tenths / 10, tenths % 10, kUnits[power]);
}

std::string speed_text(double bytes_per_s) {
  constexpr double kMost = 9.0e18;  // Fits an int64; the comparison also rejects NaN.
  const bool sane = bytes_per_s > 0 && bytes_per_s < kMost;
  return bytes_text(sane ? static_cast<std::int64_t>(bytes_per_s) : 0) + "/s";
}

std::string left_text(std::chrono::seconds left) {
  constexpr std::int64_t kHour = 3600;
  constexpr std::int64_t kDay = 24 * kHour;
  const std::int64_t s = std::max<std::int64_t>(left.count(), 0);
  if (s >= 1000 * kDay) return "> 999 d";
  if (s >= 10 * kDay) return fmt::format("{} d", s / kDay);
  if (s >= 100 * kHour) return fmt::format("{} d {} h", s / kDay, s % kDay / kHour);
  if (s >= kHour) return fmt::format("{}:{:02}:{:02}", s / kHour, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string passed_text(Millis passed) {
  const std::int64_t tenths = std::max<std::int64_t>(passed.count(), 0) / 100;
  if (tenths < 600) return fmt::format("{}.{} s", tenths / 10, tenths % 10);
  return left_text(std::chrono::duration_cast<std::chrono::seconds>(passed));
}

std::string count_text(std::int64_t count) {
  std::string text = fmt::format("{}", count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) text.insert(at -= 3, 1, ',');
  return text;
}

}  // namespace haul::cli

#include "api/byte_range.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"

namespace haul::api {
namespace {

// Digits only: no sign, no blank. A number that does not fit is as good as the largest one.
std::optional<std::int64_t> digits(std::string_view text) {
  if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} ? number : INT64_MAX;
}

}  // namespace

ByteRange read_range(std::string_view header, std::int64_t file_size) {
  const ByteRange whole{.is = ByteRange::Is::whole, .at = 0, .size = file_size};
  constexpr std::string_view kUnit = "bytes=";
  if (lower(header.substr(0, kUnit.size())) != kUnit) return whole;
  const std::string_view spec = trimmed(header.substr(kUnit.size()));
  const std::size_t dash = spec.find('-');
  if (dash == std::string_view::npos) return whole;
  const std::string_view first_text = spec.substr(0, dash);
  const std::string_view last_text = spec.substr(dash + 1);
  const auto last = digits(last_text);
  if (!last && !last_text.empty()) return whole;  // Also a list of ranges.
  if (first_text.empty()) {                       // The last so many bytes.
    if (!last) return whole;
    const std::int64_t size = std::min(*last, file_size);
    if (size == 0) return {.is = ByteRange::Is::beyond};
    return {.is = ByteRange::Is::part, .at = file_size - size, .size = size};
  }
  const auto first = digits(first_text);
  if (!first || (last && *last < *first)) return whole;
  if (*first >= file_size) return {.is = ByteRange::Is::beyond};
  const std::int64_t end = last ? std::min(*last, file_size - 1) : file_size - 1;
  return {.is = ByteRange::Is::part, .at = *first, .size = end - *first + 1};
}

}  // namespace haul::api

#include "cli/commands/number_check.h"

#include <fmt/core.h>

#include "base/request_value.h"
#include "base/text.h"
#include "cli/draw/bytes.h"

namespace haul::cli {

std::string wrong_with_count(const std::string& text) {
  const auto value = read_whole(text);
  if (value && *value >= 1) return {};
  return fmt::format("\"{}\" is not a whole number of at least 1", printable(text));
}

std::string wrong_if_empty(const std::string& text) {
  return text.empty() ? "expected a value; leave the option out for all" : std::string{};
}

std::string wrong_with_bytes(const std::string& text, SizeRange range) {
  const auto value = read_whole(text);
  if (value && *value >= range.least && *value <= range.most) return {};
  return fmt::format("\"{}\" is not a size from {} to {} (expected e.g. 500M)", printable(text),
                     bytes_text(range.least), bytes_text(range.most));
}

}  // namespace haul::cli

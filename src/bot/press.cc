#include "bot/press.h"

#include <fmt/core.h>

#include <charconv>

namespace haul::bot {
namespace {

// In the order of Press::Verb.
constexpr std::string_view kLetters = "ahosdcyn";
constexpr std::size_t kPageMax = 1'000'000;

std::optional<std::int64_t> take_number(std::string_view& text) {
  if (!text.starts_with(':')) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string to_data(const Press& press) {
  return fmt::format("{}:{}:{}", kLetters[static_cast<std::size_t>(press.verb)], press.id,
                     press.page);
}

std::optional<Press> read_press(std::string_view data) {
  if (data.empty() || data.size() > kPressMax) return std::nullopt;
  const std::size_t verb = kLetters.find(data.front());
  if (verb == std::string_view::npos) return std::nullopt;
  data.remove_prefix(1);
  const auto id = take_number(data);
  const auto page = id ? take_number(data) : std::nullopt;
  if (!page || !data.empty() || static_cast<std::size_t>(*page) > kPageMax) return std::nullopt;
  return Press{static_cast<Press::Verb>(verb), *id, static_cast<std::size_t>(*page)};
}

}  // namespace haul::bot

#include "engine/http/part_name.h"

#include <fmt/core.h>

#include <charconv>

namespace haul {
namespace {

constexpr std::size_t kStemMax = 100;
constexpr std::string_view kMark = ".haul-";
constexpr std::string_view kEnd = ".part";

// A number and what parts it from the next, taken off the front.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  if (text.empty()) return number;
  if (text.front() != '-' || text.size() == 1) return std::nullopt;
  text.remove_prefix(1);
  return number;
}

}  // namespace

std::string part_name(const std::string& name, const PartOwner& owner, int number) {
  std::string stem = name.substr(0, kStemMax);
  while (!stem.empty() && (static_cast<unsigned char>(stem.back()) & 0x80U) != 0) stem.pop_back();
  return fmt::format("{}{}{}-{}-{}{}{}", stem, kMark, owner.job.value, owner.item, owner.fence,
                     number > 1 ? fmt::format("-{}", number) : "", kEnd);
}

std::optional<PartOwner> owner_of_part(std::string_view name) {
  if (!name.ends_with(kEnd)) return std::nullopt;
  name.remove_suffix(kEnd.size());
  const auto mark = name.rfind(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  name.remove_prefix(mark + kMark.size());
  const auto job = take_number(name);
  const auto item = job && !name.empty() ? take_number(name) : std::nullopt;
  const auto fence = item && !name.empty() ? take_number(name) : std::nullopt;
  const auto number = fence && !name.empty() ? take_number(name) : fence;
  if (!number || !name.empty()) return std::nullopt;
  return PartOwner{JobId{*job}, *item, *fence};
}

}  // namespace haul

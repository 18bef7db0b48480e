#include "io/file/part_name.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "seam/engine.h"

namespace haul::io {
namespace {

constexpr std::size_t kStemMax = 100;
constexpr std::string_view kMark = ".haul-";

constexpr std::size_t kStoreDigits = 12;

// Removes the dash before the next element. There is none at the end of the text.
bool drop_dash(std::string_view& text) {
  if (text.empty()) return true;
  if (text.front() != '-' || text.size() == 1) return false;
  text.remove_prefix(1);
  return true;
}

bool is_store_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

std::optional<std::string> take_store(std::string_view& text) {
  const std::string_view store = text.substr(0, kStoreDigits);
  if (store.size() != kStoreDigits || !std::ranges::all_of(store, is_store_digit))
    return std::nullopt;
  text.remove_prefix(kStoreDigits);
  if (text.empty() || !drop_dash(text)) return std::nullopt;
  return std::string{store};
}

}  // namespace

std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  if (!drop_dash(text)) return std::nullopt;
  return number;
}

std::string owner_text(const PartOwner& owner) {
  return fmt::format("{}-{}-{}-{}", owner.store, owner.job.value, owner.item, owner.fence);
}

std::optional<PartOwner> take_owner(std::string_view& text) {
  auto store = take_store(text);
  const auto job = store ? take_number(text) : std::nullopt;
  const auto item = job && !text.empty() ? take_number(text) : std::nullopt;
  const auto fence = item && !text.empty() ? take_number(text) : std::nullopt;
  if (!fence) return std::nullopt;
  return PartOwner{*std::move(store), JobId{*job}, *item, *fence};
}

PartOwner owner_of(const Order& order) { return {order.store, order.job, order.item, order.fence}; }

bool PartOwner::is_before(const PartOwner& holder) const {
  return store == holder.store && job == holder.job && fence < holder.fence;
}

std::string part_name(const std::string& name, const PartOwner& owner, int number) {
  std::string stem = name.substr(0, kStemMax);
  while (!stem.empty() && (static_cast<unsigned char>(stem.back()) & 0x80U) != 0) stem.pop_back();
  return fmt::format("{}{}{}{}{}", stem, kMark, owner_text(owner),
                     number > 1 ? fmt::format("-{}", number) : "", kPartEnd);
}

std::optional<PartOwner> owner_of_part(std::string_view name) {
  if (!name.ends_with(kPartEnd)) return std::nullopt;
  name.remove_suffix(kPartEnd.size());
  const auto mark = name.rfind(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  name.remove_prefix(mark + kMark.size());
  auto owner = take_owner(name);
  if (owner && !name.empty() && !take_number(name)) return std::nullopt;
  if (!name.empty()) return std::nullopt;
  return owner;
}

}  // namespace haul::io

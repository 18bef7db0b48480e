#include "seam/item_key.h"

#include <fmt/core.h>

#include <charconv>

namespace haul {

std::string item_key(std::string_view engine, const PageItem& item) {
  return fmt::format("{}:{}:{}", engine, item.index, item.page);
}

std::optional<PageItem> page_item_of(std::string_view key) {
  const std::string_view engine = engine_of(key);
  if (engine == kHttp) return std::nullopt;
  key.remove_prefix(engine.size() + 1);
  PageItem item;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), item.index);
  const auto read = static_cast<std::size_t>(end - key.data());
  if (error != std::errc{} || item.index < 0 || read >= key.size() || *end != ':')
    return std::nullopt;
  item.page = key.substr(read + 1);
  return item;
}

}  // namespace haul

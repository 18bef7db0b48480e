#pragma once
// An item's key says which engine fetches it. The key begins with the name of the engine that found
// the item. A key without such a name is an address and belongs to the http engine.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace haul {

constexpr std::string_view kHttp = "http";
constexpr std::string_view kYtDlp = "yt-dlp";
constexpr std::string_view kGalleryDl = "gallery-dl";
constexpr std::string_view kAuto = "auto";

// The n-th item of a page. Index zero is the page itself.
struct PageItem {
  std::int64_t index = 0;
  std::string page;

  bool operator==(const PageItem&) const = default;
};

// "gallery-dl:3:https://example.org/album"
std::string item_key(std::string_view engine, const PageItem& item);

constexpr std::string_view engine_of(std::string_view key) {
  for (const std::string_view engine : {kYtDlp, kGalleryDl})
    if (key.starts_with(engine) && key.substr(engine.size()).starts_with(':')) return engine;
  return kHttp;
}
// No value if the key is an address or malformed.
std::optional<PageItem> page_item_of(std::string_view key);

}  // namespace haul

#pragma once
// How an item says who fetches it. Its key begins with the name of the engine that found it; a key
// without one is an address, and the http engine's.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace haul {

constexpr std::string_view kHttp = "http";
constexpr std::string_view kYtDlp = "yt-dlp";
constexpr std::string_view kGalleryDl = "gallery-dl";
constexpr std::string_view kAuto = "auto";

// One of what a page has: the n-th, or with zero the page itself.
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
// Nothing if the key is an address.
std::optional<PageItem> page_item_of(std::string_view key);

}  // namespace haul

#include "engine/qbittorrent/magnet.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "base/ascii.h"

namespace haul::qbittorrent {
namespace {

constexpr std::string_view kScheme = "magnet:?";
constexpr std::size_t kBytesMax = 16'384;
constexpr int kSourcesMax = 100;  // Trackers, peers and seeds of one link.

std::unexpected<Fault> bad(std::string_view why) {
  return std::unexpected{Fault{FaultKind::permanent, "bad_magnet", std::string{why}}};
}

// RFC 4648, 32 characters for 20 bytes.
std::optional<std::string> from_base32(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  std::string hex;
  std::uint64_t bits = 0;
  int have = 0;
  for (const char c : text) {
    const char l = lower(c);
    const bool letter = l >= 'a' && l <= 'z';
    if (!letter && (l < '2' || l > '7')) return std::nullopt;
    bits = (bits << 5U) | static_cast<std::uint64_t>(letter ? l - 'a' : l - '2' + 26);
    for (have += 5; have >= 4; have -= 4)
      hex += "0123456789abcdef"[(bits >> static_cast<unsigned>(have - 4)) & 0xfU];
  }
  return hex;
}

// Reads "urn:btih:…" and "urn:btmh:1220…". False if the hash is malformed, or contradicts an
// earlier one.
bool take_topic(std::string_view topic, InfoHash& hash) {
  constexpr std::string_view kV1 = "urn:btih:";
  constexpr std::string_view kV2 = "urn:btmh:";
  const std::string word = lower(topic.substr(0, kV1.size()));
  const std::string_view rest = topic.substr(std::min(kV1.size(), topic.size()));
  if (word == kV1) {
    auto found = hex_digits(rest, 40);
    if (!found) found = from_base32(rest);
    if (!found || (!hash.v1.empty() && hash.v1 != *found)) return false;
    hash.v1 = *found;
  } else if (word == kV2) {
    const auto found = rest.starts_with("1220") ? hex_digits(rest.substr(4), 64) : std::nullopt;
    if (!found || (!hash.v2.empty() && hash.v2 != *found)) return false;
    hash.v2 = *found;
  }
  return true;
}

bool is_source(std::string_view name) {
  return name == "tr" || name.starts_with("tr.") || name == "ws" || name == "x.pe" ||
         name == "as" || name == "xs";
}

}  // namespace

std::optional<std::string> hex_digits(std::string_view text, std::size_t digits) {
  if (text.size() != digits) return std::nullopt;
  std::string hex = lower(text);
  const bool all =
      std::ranges::all_of(hex, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
  return all ? std::optional{std::move(hex)} : std::nullopt;
}

bool is_magnet(std::string_view text) { return lower(text.substr(0, kScheme.size())) == kScheme; }

Result<InfoHash> read_magnet(std::string_view text) {
  if (!is_magnet(text)) return bad("not a magnet link");
  if (text.size() > kBytesMax) return bad("longer than 16 KiB");
  if (std::ranges::any_of(text, [](char c) { return c <= ' ' || c == '\x7f'; }))
    return bad("it contains a blank or a control character");
  InfoHash hash;
  int sources = 0;
  for (std::string_view rest = text.substr(kScheme.size()); !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    const std::string name = lower(pair.substr(0, pair.find('=')));
    const std::string value = percent_decoded(pair.substr(std::min(name.size() + 1, pair.size())));
    const bool is_topic = name == "xt" || name.starts_with("xt.");
    if (is_topic && !take_topic(value, hash)) return bad("the torrent it names cannot be read");
    if (is_source(name) && ++sources > kSourcesMax)
      return bad(fmt::format("more than {} trackers, peers and seeds", kSourcesMax));
  }
  if (hash.is_none()) return bad("it names no torrent");
  return hash;
}

}  // namespace haul::qbittorrent

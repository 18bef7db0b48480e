#include "app/config_check.h"

#include <fmt/core.h>

#include <optional>

#include "app/listen.h"
#include "base/hostname.h"
#include "base/text.h"
#include "base/time.h"
#include "base/utf8.h"
#include "engine/qbittorrent/path_map.h"
#include "engine/qbittorrent/qbittorrent.h"
#include "io/web/address.h"

namespace haul {
namespace {

std::string in_quotes(std::string_view text) { return "\"" + printable(text) + "\""; }

std::string wrong_with_network(const std::string& text) {
  if (Network::parse(text)) return {};
  return in_quotes(text) + " is not an address or CIDR range (expected e.g. 192.168.1.0/24)";
}

std::string wrong_with_host(const std::string& text) {
  if (canonical_host(text)) return {};
  return in_quotes(text) + " is not a host name (expected e.g. haul.example)";
}

std::string wrong_with_mapping(const std::string& text) {
  if (PathMap::parse(std::span{&text, 1})) return {};
  return in_quotes(text) + " is not two absolute paths (expected e.g. /downloads=/srv/torrents)";
}

std::string wrong_with_client(const std::string& text) {
  if (text.empty() || client_address(text)) return {};
  return "not an http or https address (expected e.g. http://127.0.0.1:8080)";
}

std::string wrong_with_listen(const std::string& text) {
  if (listen_at(text)) return {};
  return in_quotes(text) + " is not an address and a port (expected e.g. 127.0.0.1:4285)";
}

struct Range {
  std::string_view key;
  Millis least;
  Millis most;
};
constexpr std::chrono::hours kHour{1};
constexpr Range kRanges[] = {
    {"transfer.delay", Millis{0}, kHour},
    {"engine.qbittorrent.poll", Millis{100}, kHour},
    {"engine.qbittorrent.missing_grace", Millis{0}, 24 * kHour},
    {"library.check_every", Millis{1'000}, 7 * 24 * kHour},
    {"library.missing_after", Millis{0}, 7 * 24 * kHour},
};

std::string wrong_with_range(std::string_view key, const std::string& value) {
  for (const Range& range : kRanges) {
    if (range.key != key) continue;
    const auto given = read_duration(value);
    if (given && *given >= range.least && *given <= range.most) return {};
    return fmt::format("{} is out of range (expected {}ms to {}s)", in_quotes(value),
                       range.least.count(), range.most.count() / 1'000);
  }
  return {};
}

using Check = std::string (*)(const std::string&);

// The first element of a list that fails the check, named by its index.
std::string first_wrong(const std::vector<std::string>& elements, Check check) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (const std::string why = check(elements[i]); !why.empty())
      return fmt::format("[{}]: {}", i, why);
  return {};
}

}  // namespace

std::string wrong_with_setting(std::string_view key, const std::string& value,
                               const std::vector<std::string>& elements) {
  if (has_control(value)) return "control characters are not allowed";
  if (key == "transfer.allow_private" || key == "server.trusted_proxies")
    return first_wrong(elements, wrong_with_network);
  if (key == "server.allowed_hosts") return first_wrong(elements, wrong_with_host);
  if (key == "engine.qbittorrent.path_map") return first_wrong(elements, wrong_with_mapping);
  if (key == "engine.qbittorrent.url") return wrong_with_client(value);
  if (key == "server.listen") return wrong_with_listen(value);
  return wrong_with_range(key, value);
}

}  // namespace haul

#include "app/config/qbittorrent.h"

#include <fmt/core.h>

#include "app/config/config.h"
#include "app/config/importer.h"
#include "app/config/transfer.h"
#include "app/config/value.h"
#include "base/path_map.h"
#include "engine/qbittorrent/qbittorrent.h"

namespace haul::app {
namespace {

constexpr std::string_view kUrl = "engine.qbittorrent.url";
constexpr std::string_view kPassword = "engine.qbittorrent.password";
constexpr std::string_view kPoll = "engine.qbittorrent.poll";
constexpr std::string_view kGrace = "engine.qbittorrent.missing_grace";
constexpr std::string_view kPathMap = "engine.qbittorrent.path_map";

std::string wrong_with_url(const std::string& text) {
  if (text.empty() || qbittorrent::client_address(text)) return {};
  return "not an http or https address (expected e.g. http://127.0.0.1:8080)";
}

constexpr ConfigKey kKeys[] = {
    {.name = kUrl,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "URL of qBittorrent's Web UI, such as http://127.0.0.1:8080",
     .check = wrong_with_url},
    {.name = "engine.qbittorrent.username",
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "User name. Leave empty if qBittorrent lets this machine in without a login"},
    {.name = kPassword,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Password. Set it through a file or the environment",
     .is_secret = true},
    {.name = "engine.qbittorrent.api_key",
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "API key, instead of user name and password (qBittorrent 5.2 or later)",
     .is_secret = true},
    {.name = "engine.qbittorrent.category",
     .kind = ConfigKind::text,
     .default_value = "haul",
     .about = "Category of haul's torrents"},
    {.name = kPoll,
     .kind = ConfigKind::duration,
     .default_value = "15s",
     .about = "Time between polls",
     .range = between(Millis{100}, std::chrono::hours{1})},
    {.name = kGrace,
     .kind = ConfigKind::duration,
     .default_value = "60s",
     .about = "How long a torrent may be missing before its job fails",
     .range = between(Millis{0}, std::chrono::hours{24})},
    {.name = kPathMap,
     .kind = ConfigKind::list,
     .default_value = "",
     .about =
         "qBittorrent's folders and where this machine has them: /downloads=/srv/torrents. "
         "`identity` if both see the same paths. Films need it; books take empty as `identity`",
     .check = wrong_with_mapping},
};

// The grace must reach to the next poll, so that a torrent missing in one answer can come back.
Result<void> check_polling(const Config& config) {
  const auto [poll, grace] = client_polling(config);
  if (grace >= poll) return {};
  const std::string& from = config.from(kGrace);
  return bad_config(from == kDefault ? config.from(kPoll) : from,
                    fmt::format("{}: {} is shorter than {} ({})", kGrace, config.text(kGrace),
                                kPoll, config.text(kPoll)));
}

}  // namespace

ConfigArea qbittorrent_area() { return {.keys = kKeys, .check = check_polling}; }

Result<std::optional<qbittorrent::QbittorrentSettings>> client_settings(const Config& config) {
  if (config.text(kUrl).empty()) return std::nullopt;
  const auto url = qbittorrent::client_address(config.text(kUrl));
  if (!url) return std::unexpected{url.error()};
  const std::vector<std::string> mapped = config.list(kPathMap);
  const auto named = PathMap::parse(mapped, kPathMap);
  if (!named) return std::unexpected{named.error()};
  const auto reach = transfer_reach(config);
  if (!reach) return std::unexpected{reach.error()};
  qbittorrent::QbittorrentSettings settings{.url = *url,
                                            .username = config.text("engine.qbittorrent.username"),
                                            .password = config.text(kPassword),
                                            .api_key = config.text("engine.qbittorrent.api_key"),
                                            .category = config.text("engine.qbittorrent.category"),
                                            .paths = mapped.empty() ? PathMap::identity() : *named,
                                            .source_paths = *named,
                                            .roots = download_roots(config),
                                            .reach = *reach};
  if (settings.username.empty() && !settings.password.empty())
    return bad_config(kPassword, "a username is required, too");
  return settings;
}

ClientPolling client_polling(const Config& config) {
  return {.poll = config.duration(kPoll), .missing_grace = config.duration(kGrace)};
}

}  // namespace haul::app

#include "app/torrent_client.h"

#include "engine/qbittorrent/qbittorrent.h"

namespace haul {

Result<Reach> transfer_reach(const Config& config) {
  Reach reach{.private_too = false, .allowed = {}};
  for (const std::string& text : config.list("transfer.allow_private")) {
    const auto network = Network::parse(text);
    if (!network) return std::unexpected{network.error()};
    reach.allowed.push_back(*network);
  }
  return reach;
}

Result<std::optional<QbittorrentSettings>> client_settings(const Config& config) {
  if (config.text("engine.qbittorrent.url").empty()) return std::nullopt;
  const auto url = client_address(config.text("engine.qbittorrent.url"));
  if (!url) return std::unexpected{url.error()};
  const auto paths = PathMap::parse(config.list("engine.qbittorrent.path_map"));
  if (!paths) return std::unexpected{paths.error()};
  const auto reach = transfer_reach(config);
  if (!reach) return std::unexpected{reach.error()};
  QbittorrentSettings settings{.url = *url,
                               .username = config.text("engine.qbittorrent.username"),
                               .password = config.text("engine.qbittorrent.password"),
                               .api_key = config.text("engine.qbittorrent.api_key"),
                               .category = config.text("engine.qbittorrent.category"),
                               .paths = *paths,
                               .reach = *reach};
  if (settings.username.empty() && !settings.password.empty())
    return std::unexpected{Fault{FaultKind::rejected, "bad_config",
                                 "engine.qbittorrent.password: a username is wanted, too"}};
  return settings;
}

}  // namespace haul

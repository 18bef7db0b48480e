#include "app/config/media_server.h"

#include <fmt/core.h>

#include <utility>

#include "app/config/config.h"
#include "app/config/jellyfin.h"
#include "app/config/plex.h"
#include "app/config/value.h"
#include "base/ensure.h"

namespace haul::app {

Result<void> check_media_server(const Config& config, const ServerKeys& keys) {
  if (const auto paths = PathMap::parse(config.list(keys.path_map), keys.path_map); !paths)
    return bad_config(config.from(keys.path_map), paths.error().detail);
  if (config.text(keys.url).empty() || !config.text(keys.token).empty()) return {};
  return bad_config(config.from(keys.url),
                    fmt::format("{}: {} is required, too", keys.url, keys.token));
}

Result<void> check_one_server(const Config& config) {
  if (config.text(kPlexKeys.url).empty() || config.text(kJellyfinKeys.url).empty()) return {};
  return bad_config(config.from(kJellyfinKeys.url),
                    fmt::format("{}: {} is set, too, but haul uses one media server: remove one of "
                                "them",
                                kJellyfinKeys.url, kPlexKeys.url));
}

PathMap server_paths(const Config& config, const ServerKeys& keys) {
  const auto paths = PathMap::parse(config.list(keys.path_map), keys.path_map);
  ensure(paths.has_value(), "the configuration has checked this value");
  return *paths;
}

MediaServerSettings media_server_settings(const Config& config) {
  if (auto plex = plex_settings(config)) return *std::move(plex);
  if (auto jellyfin = jellyfin_settings(config)) return *std::move(jellyfin);
  return {};
}

std::string_view name_of(const MediaServerSettings& settings) {
  if (std::holds_alternative<plex::PlexSettings>(settings)) return "plex";
  return std::holds_alternative<jellyfin::JellyfinSettings>(settings) ? "jellyfin" : "";
}

void set_listener(MediaServerSettings& settings, std::function<void(const Fault*)> listener) {
  if (auto* plex = std::get_if<plex::PlexSettings>(&settings))
    plex->on_trouble = std::move(listener);
  else if (auto* jellyfin = std::get_if<jellyfin::JellyfinSettings>(&settings))
    jellyfin->on_trouble = std::move(listener);
}

}  // namespace haul::app

#pragma once
// What [sink.plex] and [sink.jellyfin] share, and which of the two is configured.

#include <functional>
#include <string_view>
#include <variant>

#include "app/config/key.h"
#include "base/path_map.h"
#include "sink/jellyfin/settings.h"
#include "sink/plex/settings.h"

namespace haul::app {

// The keys that every media server has.
struct ServerKeys {
  std::string_view url;
  std::string_view token;
  std::string_view path_map;
};
inline constexpr ServerKeys kPlexKeys{
    .url = "sink.plex.url", .token = "sink.plex.token", .path_map = "sink.plex.path_map"};
inline constexpr ServerKeys kJellyfinKeys{.url = "sink.jellyfin.url",
                                          .token = "sink.jellyfin.token",
                                          .path_map = "sink.jellyfin.path_map"};

// Refuses an address without a token, and a path map that mixes `identity` with folders.
Result<void> check_media_server(const Config& config, const ServerKeys& keys);
// Refuses two media servers.
Result<void> check_one_server(const Config& config);

// Maps no path if the map is empty.
PathMap server_paths(const Config& config, const ServerKeys& keys);

// Monostate if no media server is configured.
using MediaServerSettings =
    std::variant<std::monostate, plex::PlexSettings, jellyfin::JellyfinSettings>;
// Reads the environment, so call it before other threads start.
MediaServerSettings media_server_settings(const Config& config);

// "plex". Empty if there is none.
std::string_view name_of(const MediaServerSettings& settings);
// Makes the server report its troubles to `listener`. Does nothing if there is no server.
void set_listener(MediaServerSettings& settings, std::function<void(const Fault*)> listener);

}  // namespace haul::app

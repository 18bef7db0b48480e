#pragma once
// [engine.qbittorrent]: the client that fetches torrents.

#include <optional>

#include "app/config/key.h"
#include "engine/qbittorrent/settings.h"

namespace haul::app {

ConfigArea qbittorrent_area();

// Nullopt if no client is configured. Refuses an invalid address, an invalid path map, and a
// password without a username.
Result<std::optional<qbittorrent::QbittorrentSettings>> client_settings(const Config& config);

// When haul asks the client.
struct ClientPolling {
  Millis poll;
  Millis missing_grace;
};
ClientPolling client_polling(const Config& config);

// What a user configures first.
inline constexpr const char* kConfigureClient = "configure engine.qbittorrent.url";

}  // namespace haul::app

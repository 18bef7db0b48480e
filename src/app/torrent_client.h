#pragma once
// Settings of the torrent client, if the configuration names one.

#include <optional>

#include "app/config.h"
#include "engine/qbittorrent/settings.h"

namespace haul {

// Nullopt if no client is configured. Refuses an invalid address, an invalid path map, and a
// password without a username.
Result<std::optional<QbittorrentSettings>> client_settings(const Config& config);

// The private networks that downloads may reach.
Result<Reach> transfer_reach(const Config& config);

}  // namespace haul

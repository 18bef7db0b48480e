#pragma once
// The torrent client that the configuration names, if it names one.

#include <optional>

#include "app/config.h"
#include "engine/qbittorrent/settings.h"

namespace haul {

// Nothing: none is configured. Refused: an address that is none, a map that is none, a secret
// without the name it belongs to.
Result<std::optional<QbittorrentSettings>> client_settings(const Config& config);

// Which private networks downloads may reach.
Result<Reach> transfer_reach(const Config& config);

}  // namespace haul

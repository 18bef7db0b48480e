#pragma once
// The engine of the torrent client, with an event loop of its own.

#include <memory>
#include <optional>

#include "base/clock.h"
#include "engine/qbittorrent/settings.h"
#include "seam/engine.h"

namespace haul::app {

// Without settings, an engine that says what to configure.
std::unique_ptr<RemoteEngine> make_torrent_client(
    const Clock& clock, const std::optional<qbittorrent::QbittorrentSettings>& settings);

}  // namespace haul::app

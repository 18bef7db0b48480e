#pragma once
// The clients that fetch books and films, each with an event loop of its own: the torrent client,
// and haul itself for films that come over HTTP.

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "engine/qbittorrent/settings.h"
#include "seam/engine.h"
#include "seam/linked_jobs.h"

namespace haul::app {

struct ClientParts {
  std::optional<qbittorrent::QbittorrentSettings> torrents{};  // Nothing if none is configured.
  LinkedJobs* linked = nullptr;  // Null if haul has no download root to fetch films to.
  std::vector<std::filesystem::path> roots{};  // The download roots.
};

// A client that is not configured says what to configure. The clock and the linked jobs outlive the
// result.
std::unique_ptr<RemoteEngine> make_client(const Clock& clock, const ClientParts& parts);

}  // namespace haul::app

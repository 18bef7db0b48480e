#pragma once
// The engine that fetches torrents through qBittorrent: Web API 2.8 (4.4) to 2.16 (5.x).

#include <memory>

#include "engine/qbittorrent/replies.h"
#include "engine/qbittorrent/settings.h"
#include "io/web/http.h"
#include "seam/engine.h"

namespace haul::qbittorrent {

// The loop must outlive the engine. The engine reads the disk on the loop's thread, so give it a
// loop of its own.
std::unique_ptr<RemoteEngine> make_qbittorrent_engine(io::HttpLoop& loop, const Clock& clock,
                                                      QbittorrentSettings settings);

// Logs in and asks for the version, once. Blocks until the answer is there.
Result<ApiVersion> probe_qbittorrent(const Clock& clock, const QbittorrentSettings& settings);

// "http://host:8080", without a trailing slash. Refuses a text that is no HTTP address.
Result<std::string> client_address(const std::string& text);

}  // namespace haul::qbittorrent

#pragma once
// The engine that lets a qBittorrent fetch: Web API 2.8 (4.4) to 2.16 (5.x).

#include <memory>

#include "engine/engine.h"
#include "engine/qbittorrent/replies.h"
#include "engine/qbittorrent/settings.h"
#include "io/http.h"

namespace haul {

// The loop outlives the engine. Files are looked for on its thread, so it is best one of its own.
std::unique_ptr<Engine> make_qbittorrent_engine(HttpLoop& loop, const Clock& clock,
                                                QbittorrentSettings settings);

// Logs in and asks for the version, once; waits for the answer.
Result<ApiVersion> probe_qbittorrent(const Clock& clock, const QbittorrentSettings& settings);

// "http://host:8080" without what haul puts there itself. Refused: what is no address of the web.
Result<std::string> client_address(const std::string& text);

}  // namespace haul

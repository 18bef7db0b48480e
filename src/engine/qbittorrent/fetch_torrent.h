#pragma once
// Fetches a .torrent from its address, so that its hash is known before the client is: the client
// would fetch it too, but never say how that went. Where it may be fetched from is the daemon's
// rule for downloads, checked at every hop.

#include <functional>
#include <string>

#include "engine/qbittorrent/env.h"

namespace haul {

// What the address leads to: a file, or by a redirect a magnet link.
struct FetchedTorrent {
  std::string magnet;
  std::string bytes;
};

void fetch_torrent(ClientEnv& env, const std::string& url,
                   std::function<void(Result<FetchedTorrent>)> then);

}  // namespace haul

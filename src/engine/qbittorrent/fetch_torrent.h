#pragma once
// Fetches a .torrent file from its address, so that haul knows its hash before the client gets it.
// The client could fetch it too, but would not report the outcome. The daemon's address rules for
// downloads apply, at every redirect.

#include <functional>
#include <string>

#include "engine/qbittorrent/env.h"

namespace haul::qbittorrent {

// What the address leads to: a file, or through a redirect a magnet link.
struct FetchedTorrent {
  std::string magnet;
  std::string bytes;
};

void fetch_torrent(Env& env, const std::string& address,
                   std::function<void(Result<FetchedTorrent>)> then);

}  // namespace haul::qbittorrent

#pragma once
// Looks on this machine for what the client says it has finished (Z-2).

#include "engine/qbittorrent/path_map.h"
#include "engine/qbittorrent/sight_of.h"

namespace haul {

// A file must have exactly the size that was wanted, a folder's files at least that together. Why
// not: `path_refused` (outside the client's save path, or mapped nowhere), `asset_pending` (not
// there, or still elsewhere), `size_differs`.
Placed look_for(const ClientTorrent& torrent, const PathMap& map);

}  // namespace haul

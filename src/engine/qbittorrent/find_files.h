#pragma once
// Looks on this machine for the files of a torrent that the client says is finished (Z-2).

#include "base/path_map.h"
#include "engine/qbittorrent/sight_of.h"

namespace haul::qbittorrent {

// A file must have exactly the torrent's size, and the files of a folder at least that together.
// Otherwise `why_not` is `path_refused` (outside the client's save path, through a link, or not
// mapped), `asset_pending` (not there yet, or still in the folder for unfinished files) or
// `size_differs`.
FoundFiles find_files(const Torrent& torrent, const PathMap& map);

}  // namespace haul::qbittorrent

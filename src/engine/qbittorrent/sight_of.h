#pragma once
// Turns what the client says about a torrent into a sight. Pure: the caller looks for the files.

#include "base/time.h"
#include "engine/qbittorrent/torrent.h"
#include "seam/sight.h"

namespace haul::qbittorrent {

// Where a finished torrent's files are on this machine.
struct FoundFiles {
  std::string path;
  std::int64_t size = 0;
  std::string why_not;  // Empty if they are there and whole.
};

// Whether the caller must look for the files before it calls sight_of().
bool needs_files(const Torrent& torrent);

What sight_of(const Torrent& torrent, const FoundFiles& found, Time now);

}  // namespace haul::qbittorrent

#pragma once
// What is to be told of a torrent: pure, but for the file, which somebody else has looked for.

#include "base/time.h"
#include "engine/qbittorrent/torrent.h"
#include "io/sight.h"

namespace haul {

// Where a finished torrent's files are on this machine.
struct Placed {
  std::string path;
  std::int64_t size = 0;
  std::string why_not;  // Empty: they are there, whole.
};

// Whether the file has to be looked for before anything can be said.
bool needs_place(const ClientTorrent& torrent);

What sight_of(const ClientTorrent& torrent, const Placed& placed, Time now);

}  // namespace haul

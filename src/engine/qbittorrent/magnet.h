#pragma once
// Reads a magnet link: which torrent it names, and whether the client may get it.

#include <string_view>

#include "base/fault.h"
#include "engine/qbittorrent/info_hash.h"

namespace haul::qbittorrent {

bool is_magnet(std::string_view text);

// Refuses a link that names no torrent, or two of one version; that has blanks or control
// characters, which could be a second line to the client; that is longer than 16 KiB; or that has
// more than 100 trackers, peers and seeds.
Result<InfoHash> read_magnet(std::string_view text);

}  // namespace haul::qbittorrent

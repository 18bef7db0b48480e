#pragma once
// A magnet link: which torrent it names, and whether it is one that may be handed on.

#include <string_view>

#include "base/fault.h"
#include "engine/qbittorrent/info_hash.h"

namespace haul {

bool is_magnet(std::string_view text);

// Refused: what names no torrent, or two of one version; blanks and controls, which would be a
// second line to the client; more than 16 KiB; more than 100 trackers, peers and seeds.
Result<InfoHash> read_magnet(std::string_view text);

}  // namespace haul

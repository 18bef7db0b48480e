#pragma once
// A .torrent file, from anybody: read for what the client will call it, and refused if it is not
// one.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "engine/qbittorrent/info_hash.h"

namespace haul {

inline constexpr std::size_t kTorrentBytesMax = std::size_t{16} << 20U;

struct TorrentFile {
  InfoHash hash;
  std::string name;
  std::int64_t piece_length = 0;
};

// Refused (`bad_torrent`): what is not one bencoded dictionary with an `info` in it, more than
// 16 MiB, deeper than 32, more than 100,000 files, pieces of no size or over 512 MiB.
Result<TorrentFile> read_torrent(std::string_view bytes);

}  // namespace haul

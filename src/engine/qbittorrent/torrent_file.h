#pragma once
// Reads an untrusted .torrent file to learn the id that the client will use. Refuses other files.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "engine/qbittorrent/info_hash.h"

namespace haul::qbittorrent {

inline constexpr std::size_t kTorrentBytesMax = std::size_t{16} << 20U;

struct TorrentFile {
  InfoHash hash;
  std::string name;
  std::int64_t piece_length = 0;
};

// `bad_torrent` if it is not one bencoded dictionary with an `info`, is larger than 16 MiB, is
// nested deeper than 32 levels, has more than 100,000 files, or pieces of no size or over 512 MiB.
Result<TorrentFile> read_torrent(std::string_view bytes);

}  // namespace haul::qbittorrent

#pragma once
// The files of a torrent, as the client lists them and as this machine has them (Z-4).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/qbittorrent/settings.h"
#include "engine/qbittorrent/torrent.h"
#include "seam/source_file.h"

namespace haul::qbittorrent {

// A file as the client lists it.
struct ContentFile {
  std::string name;  // Beneath the torrent's save path. Untrusted.
  std::int64_t size = 0;
  bool is_wanted = true;  // A user may have left it out.

  bool operator==(const ContentFile&) const = default;
};

// The most files that haul takes from one torrent.
inline constexpr std::size_t kSourcesMax = 4'000;

// Fault `client_garbage` if the text is no list of files, and `too_many_files` (permanent).
Result<std::vector<ContentFile>> read_content(std::string_view json);

// Looks at each wanted file, opened beneath its download root and through no link. Reads the disk.
// Faults of the kind environment: `path_not_mapped` if no entry of the path map covers a file,
// `path_refused` if it lies beneath no download root, through a link, or is no regular file,
// `asset_pending` if it is not there, `size_differs`, `no_files` if no file is wanted.
Result<std::vector<SourceFile>> look_at_sources(const Torrent& torrent,
                                                const std::vector<ContentFile>& content,
                                                const QbittorrentSettings& settings);

}  // namespace haul::qbittorrent

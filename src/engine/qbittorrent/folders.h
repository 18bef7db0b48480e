#pragma once
// What an operator learns of the client's folders: where it puts finished torrents, and which files
// it sees in a folder.

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/qbittorrent/replies.h"
#include "engine/qbittorrent/settings.h"

namespace haul::qbittorrent {

// The first version that lists folders (qBittorrent 5.0).
inline constexpr ApiVersion kListsFolders{2, 11, 0};

struct ClientFolders {
  ApiVersion version;
  std::string save_path;  // Of finished torrents of haul's category, as the client sees it.

  bool lists_folders() const { return version >= kListsFolders; }
};

// Asks for both. Waits for the answers.
Result<ClientFolders> probe_folders(const Clock& clock, const QbittorrentSettings& settings);

// The names of the files in a folder, as the client sees it. Waits for the answer. Faults:
// `no_such_folder` and `cannot_list` (permanent), and those of a session.
Result<std::vector<std::string>> list_client_folder(const Clock& clock,
                                                    const QbittorrentSettings& settings,
                                                    const std::string& folder);

// Where the client puts finished torrents of a category, from its answers to app/preferences and
// torrents/categories. Fault `client_garbage` if they are not its own.
Result<std::string> read_save_path(std::string_view preferences, std::string_view categories,
                                   std::string_view category);
// The names of the files, from its answer to app/getDirectoryContent.
Result<std::vector<std::string>> read_folder(std::string_view body);

}  // namespace haul::qbittorrent

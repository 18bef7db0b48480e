#pragma once
// What Plex's answers say. An answer that is not Plex's JSON is the fault `server_garbage`, never
// an empty list.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "sink/server/library.h"
#include "sink/server/matches.h"

namespace haul::plex {

// The version: "1.43.3.10896-cb3ebc72d".
Result<std::string> read_identity(std::string_view body);

// The libraries of films and of series. Others have no files of haul's.
Result<std::vector<media_server::ServerLibrary>> read_sections(std::string_view body);

// The names of the files in a folder that Plex was asked for.
Result<std::vector<std::string>> read_browse(std::string_view body);

// A film or an episode.
struct PlexEntry {
  std::string title;
  std::string show{};        // Title of an episode's series.
  std::string show_key{};    // Empty if Plex does not say it.
  std::string season_key{};  // Likewise.
  std::optional<std::int64_t> season{};
  std::vector<media_server::ListedFile> files{};  // Without those that Plex knows to be gone.
};

struct PlexList {
  std::vector<PlexEntry> entries;
  std::int64_t total = 0;  // Of all slices.

  bool is_whole() const { return total <= static_cast<std::int64_t>(entries.size()); }
};
Result<PlexList> read_entries(std::string_view body);

}  // namespace haul::plex

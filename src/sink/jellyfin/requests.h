#pragma once
// The requests to Jellyfin and to Emby, which differ in the header of the key and in one path.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sink/jellyfin/settings.h"
#include "sink/server/calls.h"

namespace haul::jellyfin {

using media_server::ServerCall;

enum class Flavor : std::uint8_t { jellyfin, emby };

inline constexpr std::size_t kShortBytesMax = std::size_t{256} << 10U;
inline constexpr std::size_t kPageBytesMax = std::size_t{4} << 20U;  // Sources list their streams.

// Which of the items below an item a page lists.
struct ItemQuery {
  std::string parent;  // Id of a library or a series.
  std::string types = "Movie,Episode,Video";
  std::string title{};  // Empty for all.
  std::size_t start = 0;
  std::size_t limit = 100;
};

// Who is there. Needs no key, so the request has none.
ServerCall ask_info();
ServerCall ask_folders(const JellyfinSettings& settings, Flavor flavor);
// The files in a folder of the server's machine. Needs the key of an administrator.
ServerCall ask_contents(const JellyfinSettings& settings, Flavor flavor, const std::string& folder);
// Tells the server that something in these folders is new. It looks a minute later.
ServerCall ask_update(const JellyfinSettings& settings, Flavor flavor,
                      const std::vector<std::string>& folders);
// Newest first.
ServerCall ask_items(const JellyfinSettings& settings, Flavor flavor, const ItemQuery& query);

}  // namespace haul::jellyfin

#pragma once
// What the answers of Jellyfin and Emby say. An answer that is not theirs is the fault
// `server_garbage`, never an empty list.

#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "sink/jellyfin/requests.h"
#include "sink/server/library.h"
#include "sink/server/matches.h"

namespace haul::jellyfin {

struct PublicInfo {
  Flavor flavor = Flavor::jellyfin;
  std::string version;

  bool operator==(const PublicInfo&) const = default;
};
Result<PublicInfo> read_info(std::string_view body);

Result<std::vector<media_server::ServerLibrary>> read_folders(std::string_view body);

// The names of the files in a folder.
Result<std::vector<std::string>> read_contents(std::string_view body);

struct JellyfinItem {
  std::string id;
  std::string name;
  std::vector<media_server::ListedFile> files;  // With the sizes that the server knows.
};
struct ItemPage {
  std::vector<JellyfinItem> items;
};
Result<ItemPage> read_items(std::string_view body);

}  // namespace haul::jellyfin

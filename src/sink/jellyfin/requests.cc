#include "sink/jellyfin/requests.h"

#include <fmt/core.h>

#include "base/ensure.h"
#include "base/json.h"
#include "base/query.h"
#include "sink/server/library.h"

namespace haul::jellyfin {
namespace {

std::vector<std::string> headers(const JellyfinSettings& settings, Flavor flavor) {
  // Jellyfin 12 refuses Emby's header, and Emby does not read Jellyfin's.
  const std::string key =
      flavor == Flavor::emby
          ? "X-Emby-Token: " + settings.api_key
          : fmt::format(R"(Authorization: MediaBrowser Token="{}", Client="haul", Device="haul", )"
                        R"(DeviceId="haul", Version="1")",
                        settings.api_key);
  return {"Accept: application/json", key};
}

}  // namespace

ServerCall ask_info() {
  return {.target = "/System/Info/Public",
          .headers = {"Accept: application/json"},
          .body_max = kShortBytesMax};
}

ServerCall ask_folders(const JellyfinSettings& settings, Flavor flavor) {
  return {.target =
              flavor == Flavor::emby ? "/Library/VirtualFolders/Query" : "/Library/VirtualFolders",
          .headers = headers(settings, flavor),
          .body_max = kPageBytesMax};
}

ServerCall ask_contents(const JellyfinSettings& settings, Flavor flavor,
                        const std::string& folder) {
  return {.target = with_query(
              "/Environment/DirectoryContents",
              {{"path", folder}, {"includeFiles", "true"}, {"includeDirectories", "false"}}),
          .headers = headers(settings, flavor),
          .body_max = kPageBytesMax,
          .not_found = "no_such_folder"};
}

ServerCall ask_update(const JellyfinSettings& settings, Flavor flavor,
                      const std::vector<std::string>& folders) {
  std::string updates;
  for (const std::string& folder : folders) {
    updates.append(updates.empty() ? "" : ",").append(R"({"Path":)");
    append_quoted(updates, folder);
    updates.append(R"(,"UpdateType":"Created"})");
  }
  return {.method = "POST",
          .target = "/Library/Media/Updated",
          .headers = headers(settings, flavor),
          .body = R"({"Updates":[)" + updates + "]}",
          .body_max = kShortBytesMax};
}

ServerCall ask_items(const JellyfinSettings& settings, Flavor flavor, const ItemQuery& query) {
  ensure(media_server::is_plain_id(query.parent), "an item's id fits into a request");
  QueryFields fields{{"ParentId", query.parent},
                     {"Recursive", "true"},
                     {"Fields", "Path,MediaSources"},
                     {"IncludeItemTypes", query.types},
                     {"SortBy", "DateCreated"},
                     {"SortOrder", "Descending"},
                     {"StartIndex", std::to_string(query.start)},
                     {"Limit", std::to_string(query.limit)},
                     {"EnableImages", "false"},
                     {"EnableTotalRecordCount", "false"}};
  if (!query.title.empty()) fields.emplace_back("SearchTerm", query.title);
  return {.target = with_query("/Items", fields),
          .headers = headers(settings, flavor),
          .body_max = kPageBytesMax};
}

}  // namespace haul::jellyfin

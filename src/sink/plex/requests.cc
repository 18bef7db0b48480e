#include "sink/plex/requests.h"

#include <fmt/core.h>

#include "base/ascii.h"
#include "base/ensure.h"
#include "base/hash.h"
#include "base/query.h"

namespace haul::plex {
namespace {

using media_server::is_plain_id;

enum class WithToken : std::uint8_t { no, yes };

std::vector<std::string> headers(const PlexSettings& settings, WithToken with) {
  // Without Accept, Plex answers in XML.
  std::vector<std::string> all{"Accept: application/json", "X-Plex-Product: haul",
                               "X-Plex-Client-Identifier: " + settings.client_id};
  if (with == WithToken::yes) all.push_back("X-Plex-Token: " + settings.token);
  return all;
}

ServerCall get(const PlexSettings& settings, std::string target, std::size_t body_max) {
  return {.target = std::move(target),
          .headers = headers(settings, WithToken::yes),
          .body_max = body_max};
}

// Leaves out what makes an entry long.
void add_slice(QueryFields& fields, std::size_t slice) {
  fields.emplace_back("X-Plex-Container-Start", "0");
  fields.emplace_back("X-Plex-Container-Size", std::to_string(slice));
  fields.emplace_back("excludeFields", "summary,tagline");
  fields.emplace_back("excludeElements",
                      "Actor,Collection,Country,Director,Field,Genre,Guid,Image,Label,Mood,"
                      "Producer,Rating,Role,Similar,UltraBlurColors,Writer");
}

// Without type 4, Plex lists series, which have no files.
bool has_series(const ServerLibrary& library) { return library.kind == "series"; }
std::string type_of(const ServerLibrary& library) { return has_series(library) ? "4" : "1"; }

std::string section_path(const ServerLibrary& library, std::string_view action) {
  ensure(is_plain_id(library.id), "a library's id fits into a path");
  return fmt::format("/library/sections/{}/{}", library.id, action);
}

ServerCall below(const PlexSettings& settings, const std::string& key, std::string_view action,
                 std::size_t slice) {
  ensure(is_plain_id(key), "an entry's key fits into a path");
  QueryFields fields;
  add_slice(fields, slice);
  return get(settings, with_query(fmt::format("/library/metadata/{}/{}", key, action), fields),
             kLeavesBytesMax);
}

}  // namespace

ServerCall ask_identity(const PlexSettings& settings) {
  return {.target = "/identity", .headers = headers(settings, WithToken::no)};
}

ServerCall ask_sections(const PlexSettings& settings) {
  return get(settings, "/library/sections", kSectionsBytesMax);
}

ServerCall ask_browse(const PlexSettings& settings, const std::string& folder) {
  const std::string path = "/services/browse/" + percent_encoded(base64_of(folder));
  ServerCall call = get(settings, with_query(path, {{"includeFiles", "1"}}), kBrowseBytesMax);
  call.not_found = "cannot_list";
  return call;
}

ServerCall ask_refresh(const PlexSettings& settings, const ServerLibrary& library,
                       const std::string& folder) {
  QueryFields fields;
  if (!folder.empty()) fields.emplace_back("path", folder);
  return get(settings, with_query(section_path(library, "refresh"), fields), kSectionsBytesMax);
}

ServerCall ask_by_title(const PlexSettings& settings, const ServerLibrary& library,
                        const std::string& title, std::size_t slice) {
  QueryFields fields{{"type", type_of(library)},
                     {has_series(library) ? "show.title" : "title", title},
                     {"sort", "addedAt:desc"}};
  add_slice(fields, slice);
  return get(settings, with_query(section_path(library, "all"), fields), kTitleBytesMax);
}

ServerCall ask_newest(const PlexSettings& settings, const ServerLibrary& library,
                      std::size_t slice) {
  QueryFields fields{{"type", type_of(library)}, {"sort", "addedAt:desc"}};
  add_slice(fields, slice);
  return get(settings, with_query(section_path(library, "all"), fields), kNewestBytesMax);
}

ServerCall ask_all_leaves(const PlexSettings& settings, const std::string& show,
                          std::size_t slice) {
  return below(settings, show, "allLeaves", slice);
}

ServerCall ask_season(const PlexSettings& settings, const std::string& season, std::size_t slice) {
  return below(settings, season, "children", slice);
}

}  // namespace haul::plex

#include "sink/plex/replies.h"

#include <algorithm>

#include "base/text.h"
#include "sink/server/calls.h"
#include "sink/server/lenient_json.h"

namespace haul::plex {
namespace {

using media_server::is_plain_id;
using media_server::LenientJson;
using media_server::ListedFile;
using media_server::ServerLibrary;

std::unexpected<Fault> garbage(std::string_view what) {
  return std::unexpected{media_server::server_garbage("Plex", what)};
}

Result<LenientJson> read_container(std::string_view body) {
  const auto answer = LenientJson::read(body);
  auto container = answer ? answer->object("MediaContainer") : std::nullopt;
  if (!container) return garbage("text that is not a MediaContainer in JSON");
  return *std::move(container);
}

// The container's list. Plex leaves an empty one out.
Result<std::vector<LenientJson>> read_list(const LenientJson& container, std::string_view name) {
  auto list = container.objects(name);
  if (list) return *std::move(list);
  if (container.has(name) || container.whole("size").value_or(0) != 0)
    return garbage("a MediaContainer without its list");
  return std::vector<LenientJson>{};
}

std::string key_of(const LenientJson& view, std::string_view name) {
  const std::string key = view.text(name);
  return is_plain_id(key) ? key : std::string{};
}

std::string kind_of(std::string_view type) {
  if (type == "movie") return "movie";
  return type == "show" ? "series" : "";
}

// The last component of a path, also of one of Windows.
std::string name_in(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

std::vector<ListedFile> files_of(const LenientJson& entry) {
  std::vector<ListedFile> files;
  if (entry.has("deletedAt")) return files;  // In Plex's trash.
  for (const LenientJson& media : entry.objects("Media").value_or(std::vector<LenientJson>{})) {
    if (media.has("deletedAt")) continue;
    for (const LenientJson& part : media.objects("Part").value_or(std::vector<LenientJson>{}))
      if (!part.is_no("exists") && !part.is_no("accessible") && !part.text("file").empty())
        files.push_back({part.text("file"), part.whole("size").value_or(-1)});
  }
  return files;
}

}  // namespace

Result<std::string> read_identity(std::string_view body) {
  const auto container = read_container(body);
  if (!container) return std::unexpected{container.error()};
  const std::string version = container->text("version");
  if (version.empty() || container->text("machineIdentifier").empty())
    return garbage("an identity that is not Plex's");
  return printable(version);
}

Result<std::vector<ServerLibrary>> read_sections(std::string_view body) {
  const auto container = read_container(body);
  if (!container) return std::unexpected{container.error()};
  const auto sections = read_list(*container, "Directory");
  if (!sections) return std::unexpected{sections.error()};
  std::vector<ServerLibrary> libraries;
  for (const LenientJson& section : *sections) {
    ServerLibrary library{key_of(section, "key"), kind_of(section.text("type")), {}};
    if (library.id.empty() || library.kind.empty()) continue;
    for (const LenientJson& location :
         section.objects("Location").value_or(std::vector<LenientJson>{}))
      library.folders.push_back(location.text("path"));
    libraries.push_back(std::move(library));
  }
  return libraries;
}

Result<std::vector<std::string>> read_browse(std::string_view body) {
  const auto container = read_container(body);
  if (!container) return std::unexpected{container.error()};
  const bool is_empty = container->whole("size") == 0;
  if (!is_empty && !container->has("Path") && !container->has("File"))
    return garbage("a MediaContainer without folders and files");
  std::vector<std::string> names;
  for (const LenientJson& file : container->objects("File").value_or(std::vector<LenientJson>{}))
    names.push_back(name_in(file.text("path")));
  return names;
}

Result<PlexList> read_entries(std::string_view body) {
  const auto container = read_container(body);
  if (!container) return std::unexpected{container.error()};
  const auto entries = read_list(*container, "Metadata");
  if (!entries) return std::unexpected{entries.error()};
  PlexList list;
  for (const LenientJson& entry : *entries)
    list.entries.push_back({.title = entry.text("title"),
                            .show = entry.text("grandparentTitle"),
                            .show_key = key_of(entry, "grandparentRatingKey"),
                            .season_key = key_of(entry, "parentRatingKey"),
                            .season = entry.whole("parentIndex"),
                            .files = files_of(entry)});
  list.total = std::max(container->whole("totalSize").value_or(0),
                        static_cast<std::int64_t>(list.entries.size()));
  return list;
}

}  // namespace haul::plex

#include "sink/jellyfin/replies.h"

#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "sink/server/calls.h"
#include "sink/server/lenient_json.h"

namespace haul::jellyfin {
namespace {

using media_server::LenientJson;
using media_server::ListedFile;
using media_server::ServerLibrary;
using Views = std::vector<LenientJson>;

std::unexpected<Fault> garbage(std::string_view what) {
  return std::unexpected{media_server::server_garbage("the media server", what)};
}

std::string id_of(const LenientJson& view, std::string_view name) {
  const std::string id = view.text(name);
  return media_server::is_plain_id(id) ? id : std::string{};
}

std::string kind_of(std::string_view type) {
  if (type == "movies") return "movie";
  return type == "tvshows" ? "series" : "";
}

// A library of music or books has no files of haul's.
bool has_video(std::string_view type) {
  return type.empty() || type == "movies" || type == "tvshows" || type == "homevideos" ||
         type == "mixed" || type == "musicvideos";
}

std::vector<ListedFile> files_of(const LenientJson& item) {
  std::vector<ListedFile> files;
  for (const LenientJson& source : item.objects("MediaSources").value_or(Views{}))
    if (!source.text("Path").empty())
      files.push_back({source.text("Path"), source.whole("Size").value_or(-1)});
  return files;
}

}  // namespace

Result<PublicInfo> read_info(std::string_view body) {
  const auto info = LenientJson::read(body);
  if (!info || info->text("Version").empty() || info->text("Id").empty())
    return garbage("something that is neither Jellyfin's nor Emby's information");
  // Emby has no ProductName.
  const bool is_jellyfin = lower(info->text("ProductName")).starts_with("jellyfin");
  return PublicInfo{is_jellyfin ? Flavor::jellyfin : Flavor::emby,
                    printable(info->text("Version"))};
}

Result<std::vector<ServerLibrary>> read_folders(std::string_view body) {
  auto folders = media_server::read_objects(body);  // Jellyfin's form.
  if (!folders)
    if (const auto answer = LenientJson::read(body)) folders = answer->objects("Items");  // Emby's.
  if (!folders) return garbage("text that is not a list of libraries");
  std::vector<ServerLibrary> libraries;
  for (const LenientJson& folder : *folders) {
    const std::string type = folder.text("CollectionType");
    std::string id = id_of(folder, "ItemId");
    if (id.empty()) id = id_of(folder, "Id");
    if (!id.empty() && has_video(type))
      libraries.push_back({std::move(id), kind_of(type), folder.texts("Locations")});
  }
  return libraries;
}

Result<std::vector<std::string>> read_contents(std::string_view body) {
  const auto entries = media_server::read_objects(body);
  if (!entries) return garbage("text that is not a list of files");
  std::vector<std::string> names;
  for (const LenientJson& entry : *entries) names.push_back(entry.text("Name"));
  return names;
}

Result<ItemPage> read_items(std::string_view body) {
  const auto answer = LenientJson::read(body);
  const auto items = answer ? answer->objects("Items") : std::nullopt;
  if (!items) return garbage("text that is not a list of items");
  ItemPage page;
  for (const LenientJson& item : *items)
    page.items.push_back({id_of(item, "Id"), item.text("Name"), files_of(item)});
  return page;
}

}  // namespace haul::jellyfin

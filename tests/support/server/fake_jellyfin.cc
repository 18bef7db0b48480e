#include "support/server/fake_jellyfin.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "base/json.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

// The page that the request asks for.
FakeReply page(const SentRequest& request, const std::vector<std::string>& all) {
  const std::size_t start = std::min(number_of(request.field("StartIndex"), 0), all.size());
  const std::size_t end =
      std::min(start + number_of(request.field("Limit"), all.size()), all.size());
  const std::vector<std::string> some(all.begin() + static_cast<long>(start),
                                      all.begin() + static_cast<long>(end));
  return {.body = fmt::format(R"({{"Items":[{}],"TotalRecordCount":{},"StartIndex":{}}})",
                              joined(some), all.size(), start)};
}

}  // namespace

void FakeJellyfin::fill(const std::string& folder, std::size_t count) {
  const auto in = std::ranges::find(folders, folder, &FakeFolder::id);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("Other {}", i);
    items.push_back({.folder = folder,
                     .name = name,
                     .path = fmt::format("{}/{}/{}.mkv", in->locations.front(), name, name),
                     .size = 1'000'000 + static_cast<std::int64_t>(i),
                     .series = in->type == "tvshows" ? fmt::format("Series {}", i / 50) : ""});
  }
}

bool FakeJellyfin::lets_in(const SentRequest& request) const {
  const bool own = request.header("Authorization")
                       .starts_with(fmt::format(R"(MediaBrowser Token="{}")", api_key));
  const bool legacy = request.header("X-Emby-Token") == api_key;
  if (shape_ == Shape::emby) return legacy;
  return own || (legacy && shape_ == Shape::jellyfin10);
}

FakeReply FakeJellyfin::act(const SentRequest& request) {
  if (request.path == "/System/Info/Public") return info();
  if (!lets_in(request)) return {.status = 401};
  const bool is_emby = shape_ == Shape::emby;
  if (request.path == (is_emby ? "/Library/VirtualFolders/Query" : "/Library/VirtualFolders"))
    return list_folders();
  if (request.path == "/Library/Media/Updated" && request.method == "POST")
    return take_updates(request.body);
  if (request.path == "/Environment/DirectoryContents") return list_contents(request);
  if (request.path == "/Items")
    return request.field("IncludeItemTypes") == "Series" ? list_series(request)
                                                         : list_items(request);
  return {.status = 404};
}

FakeReply FakeJellyfin::info() const {
  if (shape_ == Shape::emby)
    return {.body = R"({"LocalAddress":"http://192.0.2.10:8096","ServerName":"homelab",)"
                    R"("Version":"4.8.11.0","Id":"6a8d3c"})"};
  return {.body = fmt::format(R"({{"LocalAddress":"http://192.0.2.10:8096","ServerName":"homelab",)"
                              R"("Version":"{}","ProductName":"Jellyfin Server",)"
                              R"("Id":"03b5e7fd4c8a4de8b4164d4d21b72608",)"
                              R"("StartupWizardCompleted":true}})",
                              shape_ == Shape::jellyfin12 ? "12.0.0" : "10.11.11")};
}

FakeReply FakeJellyfin::list_folders() const {
  std::vector<std::string> all;
  for (const FakeFolder& folder : folders) {
    std::vector<std::string> locations;
    for (const std::string& path : folder.locations) locations.push_back(json_quoted(path));
    const std::string type = folder.type.empty() ? "null" : json_quoted(folder.type);
    all.push_back(fmt::format(R"({{"Name":"Library","Locations":[{}],"CollectionType":{},)"
                              R"("LibraryOptions":{{"Enabled":true}},"ItemId":"{}"}})",
                              joined(locations), type, folder.id));
  }
  if (shape_ != Shape::emby) return {.body = "[" + joined(all) + "]"};
  return {.body =
              fmt::format(R"({{"Items":[{}],"TotalRecordCount":{}}})", joined(all), all.size())};
}

FakeReply FakeJellyfin::list_contents(const SentRequest& request) const {
  const std::string folder = request.field("path");
  const auto here = disk.here(folder);
  std::error_code error;
  if (!here || !fs::is_directory(*here, error)) return {.status = 404};
  std::vector<std::string> all;
  if (request.field("includeFiles") == "true")
    for (const std::string& name : files_in(folder))
      all.push_back(fmt::format(R"({{"Name":{},"Path":{},"Type":"File"}})", json_quoted(name),
                                json_quoted(folder + "/" + name)));
  return {.body = "[" + joined(all) + "]"};
}

FakeReply FakeJellyfin::take_updates(const std::string& body) {
  const auto fields = read_object(body);
  if (!fields || fields->size() != 1 || fields->front().name != "Updates") return {.status = 400};
  const auto updates = read_array(fields->front().json);
  if (!updates) return {.status = 400};
  for (const std::string& update : *updates)
    for (const JsonField& field : read_object(update).value_or(std::vector<JsonField>{})) {
      if (field.name != "Path") continue;
      updates_.push_back(field.text);
      asked_to_scan.push_back(field.text);
    }
  if (indexes_at_once) index();
  return {.status = shape_ == Shape::emby ? 200 : 204};
}

const FakeFolder* FakeJellyfin::folder_of(const std::string& path) const {
  for (const FakeFolder& folder : folders)
    for (const std::string& location : folder.locations)
      if (path == location || is_inside(path, location)) return &folder;
  return nullptr;
}

void FakeJellyfin::index() {
  for (const std::string& folder : std::exchange(updates_, {})) {
    const FakeFolder* in = folder_of(folder);
    if (!in) continue;  // Real servers answer 204 and do nothing.
    for (const auto& [path, size] : videos_in(folder)) {
      const auto known = std::ranges::find(items, path, &FakeItem::path);
      if (known != items.end()) {
        known->size = size;
        continue;
      }
      const fs::path name{path};
      items.push_back({.folder = in->id,
                       .name = name.stem().string(),
                       .path = path,
                       .size = size,
                       .series = in->type == "tvshows"
                                     ? name.parent_path().parent_path().filename().string()
                                     : ""});
    }
  }
}

std::string FakeJellyfin::id_of_series(const std::string& name) const {
  return fmt::format("{:016x}", std::hash<std::string>{}(name));
}

FakeReply FakeJellyfin::list_series(const SentRequest& request) const {
  std::set<std::string> names;
  for (const FakeItem& item : items)
    if (!item.series.empty() && item.folder == request.field("ParentId") &&
        has_part(item.series, request.field("SearchTerm")))
      names.insert(item.series);
  std::vector<std::string> all;
  for (const std::string& name : names)
    all.push_back(fmt::format(R"({{"Name":{},"Id":"{}","Type":"Series","IsFolder":true}})",
                              json_quoted(name), id_of_series(name)));
  return page(request, all);
}

FakeReply FakeJellyfin::list_items(const SentRequest& request) const {
  const std::string parent = request.field("ParentId");
  const std::string types = request.field("IncludeItemTypes");
  std::vector<const FakeItem*> found;
  for (auto item = items.rbegin(); item != items.rend(); ++item) {
    const bool is_below =
        item->folder == parent || (!item->series.empty() && id_of_series(item->series) == parent);
    if (is_below && lists(types, item->series.empty() ? "Movie" : "Episode") &&
        has_part(item->name, request.field("SearchTerm")))
      found.push_back(&*item);
  }
  // Only the page becomes text: a large library would be slow otherwise.
  const std::size_t start = std::min(number_of(request.field("StartIndex"), 0), found.size());
  const std::size_t end =
      std::min(start + number_of(request.field("Limit"), found.size()), found.size());
  std::vector<std::string> some;
  for (std::size_t i = start; i < end; ++i) some.push_back(json(*found[i], request));
  return {.body = fmt::format(R"({{"Items":[{}],"TotalRecordCount":0,"StartIndex":{}}})",
                              joined(some), start)};
}

std::string FakeJellyfin::json(const FakeItem& item, const SentRequest& request) const {
  const std::string fields = request.field("Fields");
  std::string out = fmt::format(
      R"({{"Name":{},"ServerId":"03b5e7fd","Id":"{:08x}","Container":"mkv","Type":"{}",)"
      R"("CommunityRating":6.8,"ChannelId":null,"IsFolder":false,"LocationType":"FileSystem",)"
      R"("MediaType":"Video")",
      json_quoted(item.name), static_cast<std::size_t>(&item - items.data()),
      item.series.empty() ? "Movie" : "Episode");
  if (lists(fields, "Path")) out += R"(,"Path":)" + json_quoted(item.path);
  if (lists(fields, "MediaSources"))
    out += fmt::format(R"(,"MediaSources":[{{"Protocol":"File","Id":"1","Path":{},"Size":{},)"
                       R"("MediaStreams":[{{"Codec":"h264","AverageFrameRate":23.976}}]}}])",
                       json_quoted(item.path), item.size ? std::to_string(*item.size) : "null");
  return out + "}";
}

}  // namespace haul::testing

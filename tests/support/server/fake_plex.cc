#include "support/server/fake_plex.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/json.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

constexpr int kFirstShow = 500'000;  // Beyond the keys of files.
constexpr int kSeasonsMax = 100;

int season_key(int show, int season) { return show * kSeasonsMax + season; }

FakeReply html(int status, std::string_view text) {
  return {.status = status,
          .body = fmt::format("<html><head><title>{0}</title></head><body><h1>{1} {0}</h1></body>"
                              "</html>",
                              text, status),
          .headers = {{"content-type", "text/html"}}};
}

FakeReply xml() {
  return {.body = R"(<?xml version="1.0" encoding="UTF-8"?><MediaContainer size="1">)"
                  R"(<Directory key="1" type="movie"><Location id="1" path="/media"/></Directory>)"
                  R"(</MediaContainer>)",
          .headers = {{"content-type", "text/xml;charset=utf-8"}}};
}

// The parts of "/library/sections/1/all" after "/library/".
std::vector<std::string> steps_of(const std::string& path) {
  std::vector<std::string> steps;
  for (const fs::path& step : fs::path{path}.relative_path()) steps.push_back(step.string());
  return steps;
}

}  // namespace

void FakePlex::add(FakePlexFile file) {
  if (file.added_at == 0) file.added_at = ++last_added_;
  if (!file.show.empty()) shows_.emplace(file.show, kFirstShow + static_cast<int>(shows_.size()));
  files_.push_back(std::move(file));
}

void FakePlex::fill(const std::string& key, std::size_t count) {
  const bool is_show = section(key)->type == "show";
  const std::string root = section(key)->locations.front();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("Other {}", i);
    add({.section = key,
         .title = name,
         .file = fmt::format("{}/{}/{}.mkv", root, name, name),
         .size = 1'000'000 + static_cast<std::int64_t>(i),
         .show = is_show ? fmt::format("Series {}", i / 50) : "",
         .season = 1,
         .episode = static_cast<int>(i % 50) + 1});
  }
}

const FakePlexSection* FakePlex::section(const std::string& key) const {
  const auto found = std::ranges::find(sections, key, &FakePlexSection::key);
  return found == sections.end() ? nullptr : &*found;
}

FakeReply FakePlex::act(const SentRequest& request) {
  const bool wants_json = request.header("Accept") == "application/json";
  if (request.path == "/identity")
    return wants_json ? FakeReply{.body = R"({"MediaContainer":{"size":0,"apiVersion":"1.2.2",)"
                                          R"("claimed":true,"machineIdentifier":"0a1b2c",)"
                                          R"("version":"1.43.3.10896-cb3ebc72d"}})"}
                      : xml();
  if (request.header("X-Plex-Token") != token) return html(401, "Unauthorized");
  if (!wants_json) return xml();
  const std::vector<std::string> steps = steps_of(request.path);
  if (lists_folders && request.path.starts_with("/services/browse/"))
    return browse(request.path.substr(std::string_view{"/services/browse/"}.size()));
  if (steps.size() < 2 || steps[0] != "library") return html(404, "Not Found");
  if (steps[1] == "sections" && steps.size() == 2) return list_sections();
  if (steps.size() != 4) return html(404, "Not Found");
  if (steps[1] == "metadata" && (steps[3] == "allLeaves" || steps[3] == "children"))
    return below(request, steps[2]);
  const FakePlexSection* found = section(steps[2]);
  if (steps[1] != "sections" || !found) return html(404, "Not Found");
  if (steps[3] == "all") return all(request, *found);
  if (steps[3] != "refresh") return html(404, "Not Found");
  scans_.push_back({steps[2], request.field("path")});
  asked_to_scan.push_back(request.field("path"));
  if (scans_at_once) scan();
  return {};
}

FakeReply FakePlex::list_sections() const {
  std::string list;
  for (const FakePlexSection& each : sections) {
    std::string locations;
    for (const std::string& path : each.locations)
      locations +=
          fmt::format(R"({}{{"id":1,"path":{}}})", locations.empty() ? "" : ",", json_quoted(path));
    list += fmt::format(R"({}{{"allowSync":true,"refreshing":false,"key":"{}","type":"{}",)"
                        R"("title":"Section {}","scannedAt":1788413969,"Location":[{}]}})",
                        list.empty() ? "" : ",", each.key, each.type, each.key, locations);
  }
  return {.body = fmt::format(R"({{"MediaContainer":{{"size":{},"allowSync":false,)"
                              R"("title1":"Plex Library","Directory":[{}]}}}})",
                              sections.size(), list)};
}

// Only the folders of sections are asked for: the fake reads no Base64.
FakeReply FakePlex::browse(const std::string& folder) const {
  std::string list;
  for (const FakePlexSection& each : sections)
    for (const std::string& path : each.locations)
      if (folder == base64_of(path) || folder == percent_encoded(base64_of(path)))
        for (const std::string& name : files_in(path))
          list += fmt::format(R"({}{{"key":"/x","path":{},"title":{}}})", list.empty() ? "" : ",",
                              json_quoted(path + "/" + name), json_quoted(name));
  if (!list.empty()) list = R"(,"File":[)" + list + "]";
  return {.body =
              fmt::format(R"({{"MediaContainer":{{"size":{}{}}}}})", list.empty() ? 0 : 1, list)};
}

FakeReply FakePlex::all(const SentRequest& request, const FakePlexSection& of) const {
  // Without type 4, a section of series lists series, which have no files.
  if (request.field("type") != (of.type == "show" ? "4" : "1")) return page(request, {});
  const std::string title = request.field("title");
  const std::string show = request.field("show.title");
  std::vector<const FakePlexFile*> found;
  for (const FakePlexFile& file : files_)
    if (file.section == of.key && has_part(file.title, title) && has_part(file.show, show))
      found.push_back(&file);
  return page(request, found);
}

FakeReply FakePlex::below(const SentRequest& request, const std::string& key) const {
  std::vector<const FakePlexFile*> found;
  for (const FakePlexFile& file : files_) {
    const auto show = shows_.find(file.show);
    if (show != shows_.end() && (key == std::to_string(show->second) ||
                                 key == std::to_string(season_key(show->second, file.season))))
      found.push_back(&file);
  }
  return found.empty() ? html(404, "Not Found") : page(request, found);
}

FakeReply FakePlex::page(const SentRequest& request,
                         const std::vector<const FakePlexFile*>& found) const {
  std::vector<const FakePlexFile*> sorted = found;
  const std::size_t start =
      std::min(number_of(request.field("X-Plex-Container-Start"), 0), sorted.size());
  const std::size_t end = std::min(
      start + number_of(request.field("X-Plex-Container-Size"), sorted.size()), sorted.size());
  if (request.field("sort") == "addedAt:desc")
    std::ranges::partial_sort(
        sorted, sorted.begin() + static_cast<long>(end),
        [](const FakePlexFile* a, const FakePlexFile* b) { return a->added_at > b->added_at; });
  std::string list;
  for (std::size_t i = start; i < end; ++i)
    list += (list.empty() ? "" : ",") + json(*sorted[i], request);
  if (!list.empty()) list = R"(,"Metadata":[)" + list + "]";
  return {.body = fmt::format(R"({{"MediaContainer":{{"size":{},"totalSize":{},"offset":{},)"
                              R"("identifier":"com.plexapp.plugins.library"{}}}}})",
                              end - start, sorted.size(), start, list)};
}

// One entry as a real server sends it, with its long parts unless they are excluded.
std::string FakePlex::json(const FakePlexFile& file, const SentRequest& request) const {
  const auto key = static_cast<std::size_t>(&file - files_.data()) + 1;
  const bool is_episode = !file.show.empty();
  const auto has = [&](const char* parameter, const char* word) {
    return !knows_excludes || !lists(request.field(parameter), word);
  };
  std::string out = fmt::format(
      R"({{"ratingKey":"{0}","key":"/library/metadata/{0}","guid":"plex://x/{0}","type":"{1}",)"
      R"("title":{2},"contentRating":"TV-MA","rating":6.6,"audienceRating":4.2,"year":2026,)"
      R"("thumb":"/library/metadata/{0}/thumb/1787668274","duration":2501600,"addedAt":{3})",
      key, is_episode ? "episode" : "movie", json_quoted(file.title), file.added_at);
  if (is_episode) {
    const int show = shows_.at(file.show);
    out += fmt::format(R"(,"grandparentRatingKey":"{}","parentRatingKey":"{}",)"
                       R"("grandparentTitle":{},"parentIndex":{},"index":{})",
                       show, season_key(show, file.season), json_quoted(file.show), file.season,
                       file.episode);
  }
  if (has("excludeFields", "summary")) out += R"(,"summary":")" + std::string(600, 'x') + '"';
  if (has("excludeElements", "Role"))
    for (const char* name : {"Role", "Writer", "Director", "Image", "Guid"})
      out += fmt::format(R"(,"{}":[{{"tag":"{}"}}])", name, std::string(200, 'n'));
  return out +
         fmt::format(R"(,"Media":[{{"id":{0},"duration":2501600,"bitrate":4676,"width":1920,)"
                     R"("aspectRatio":1.78,"videoCodec":"h264","container":"mkv",)"
                     R"("optimizedForStreaming":1,"Part":[{{"id":{0},)"
                     R"("key":"/library/parts/{0}/1367972661/file.mkv","file":{1},)"
                     R"("size":{2},"container":"mkv","optimizedForStreaming":true{3}}}]}}]}})",
                     key, json_quoted(file.file), file.size, file.more);
}

void FakePlex::scan() {
  for (const WaitingScan& each : std::exchange(scans_, {})) index(each);
}

void FakePlex::index(const WaitingScan& wanted) {
  const FakePlexSection& in = *section(wanted.section);
  for (const std::string& location : in.locations) {
    const std::string folder = wanted.folder.empty() ? location : wanted.folder;
    // Real servers ignore a path that is not below one of the section's folders.
    if (!wanted.folder.empty() && !is_inside(folder, location)) continue;
    for (const auto& [file, size] : videos_in(folder)) see(in, file, size);
  }
}

void FakePlex::see(const FakePlexSection& in, const std::string& file, std::int64_t size) {
  const auto known = std::ranges::find(files_, file, &FakePlexFile::file);
  if (known != files_.end()) {
    known->size = size;
    return;
  }
  const fs::path name{file};
  add({.section = in.key,
       .title = name.stem().string(),
       .file = file,
       .size = size,
       .show = in.type == "show" ? name.parent_path().parent_path().filename().string() : "",
       .season = 1});
}

}  // namespace haul::testing

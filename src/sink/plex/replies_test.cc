// Plex's answers in the shapes that a real server (1.43) sends.

#include "sink/plex/replies.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace haul::plex {
namespace {

std::string container(std::string_view members) {
  return fmt::format(R"({{"MediaContainer":{{{}}}}})", members);
}

// "path size" of every file, and "garbage" for a fault.
std::string files(std::string_view body) {
  const auto list = read_entries(body);
  if (!list) return list.error().code == "server_garbage" ? "garbage" : list.error().code;
  std::string text;
  for (const PlexEntry& entry : list->entries)
    for (const media_server::ListedFile& file : entry.files)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", file.path, file.size);
  return text;
}

std::string with_part(std::string_view part, std::string_view media = "",
                      std::string_view entry = "") {
  return container(fmt::format(R"("size":1,"Metadata":[{{"title":"A","Media":[{{"id":7,)"
                               R"("Part":[{{"id":8,"file":"/m/a.mkv","size":10{}}}]{}}}]{}}}])",
                               part, media, entry));
}

}  // namespace

TEST_CASE("Plex says who it is") {
  CHECK(read_identity(container(R"("size":0,"apiVersion":"1.2.2","claimed":true,)"
                                R"("machineIdentifier":"0a1b","version":"1.43.3.10896-cb3ebc72d")"))
            .value() == "1.43.3.10896-cb3ebc72d");
  CHECK_FALSE(read_identity(container(R"("size":0)")));
  CHECK_FALSE(read_identity("<html>router</html>"));
}

TEST_CASE("sections of films and series are libraries, others are not") {
  const auto libraries = read_sections(
      container(R"("size":4,"allowSync":false,"title1":"Plex Library","Directory":[)"
                R"({"refreshing":false,"key":"1","type":"movie","title":"Movies","hidden":0,)"
                R"("Location":[{"id":1,"path":"/media/films"},{"id":7,"path":"/more"}]},)"
                R"({"key":2,"type":"show","Location":[{"id":2,"path":"/media/series"}]},)"
                R"({"key":"3","type":"artist","Location":[{"id":3,"path":"/media/music"}]},)"
                R"({"key":"../4","type":"movie","Location":[]}])"));
  REQUIRE(libraries);
  CHECK(*libraries ==
        std::vector<media_server::ServerLibrary>{{"1", "movie", {"/media/films", "/more"}},
                                                 {"2", "series", {"/media/series"}}});
  CHECK(read_sections(container(R"("size":0)"))->empty());
}

TEST_CASE("an episode carries the keys of its series and its season") {
  const auto list = read_entries(container(
      R"("size":1,"totalSize":32446,"offset":0,"Metadata":[{"ratingKey":"129856",)"
      R"("parentRatingKey":"129855","grandparentRatingKey":129854,"type":"episode",)"
      R"("title":"The Brownies","grandparentTitle":"The 'Burbs","index":1,"parentIndex":1,)"
      R"("rating":6.6,"Media":[{"id":277587,"aspectRatio":1.78,"optimizedForStreaming":1,)"
      R"("Part":[{"id":287054,"file":"/library/tv/Show/Season 01/x.mkv","size":1462111938,)"
      R"("optimizedForStreaming":true}]}]}])"));
  REQUIRE(list);
  REQUIRE(list->entries.size() == 1);
  const PlexEntry& entry = list->entries.front();
  CHECK(entry.title == "The Brownies");
  CHECK(entry.show == "The 'Burbs");
  CHECK(entry.show_key == "129854");
  CHECK(entry.season_key == "129855");
  CHECK(entry.season == 1);
  CHECK(entry.files ==
        std::vector<media_server::ListedFile>{{"/library/tv/Show/Season 01/x.mkv", 1'462'111'938}});
  CHECK(list->total == 32'446);
  CHECK_FALSE(list->is_whole());
}

TEST_CASE("a film may have several versions, each of several parts") {
  CHECK(files(container(R"("size":2,"Metadata":[{"Media":[{"Part":[{"file":"/a1","size":1},)"
                        R"({"file":"/a2","size":"2"}]},{"Part":[{"file":"/b","size":3}]}]},)"
                        R"({"title":"without files"}])")) == "/a1 1, /a2 2, /b 3");
}

TEST_CASE("X14: a file that Plex knows to be gone is not listed") {
  CHECK(files(with_part("")) == "/m/a.mkv 10");
  CHECK(files(with_part(R"(,"exists":true,"accessible":1)")) == "/m/a.mkv 10");
  CHECK(files(with_part(R"(,"exists":false)")).empty());
  CHECK(files(with_part(R"(,"exists":0)")).empty());
  CHECK(files(with_part(R"(,"accessible":"0")")).empty());
  CHECK(files(with_part("", R"(,"deletedAt":1700000000)")).empty());
  CHECK(files(with_part("", "", R"(,"deletedAt":1700000000)")).empty());
}

TEST_CASE("a part without a size has none that could match") {
  CHECK(files(container(R"("size":1,"Metadata":[{"Media":[{"Part":[{"file":"/a"}]}]}])")) ==
        "/a -1");
}

TEST_CASE("S1-19: what is not Plex's answer is garbage, not an empty list") {
  CHECK(files(container(R"("size":0,"totalSize":0)")).empty());
  for (const std::string& body :
       {std::string{}, std::string{"<html>"}, std::string{"null"}, std::string{"[]"},
        std::string{"{}"}, container(R"("size":3)"), container(R"("size":1,"Metadata":{})"),
        std::string{R"({"MediaContainer":[]})"}, std::string{R"({"MediaContainer":{"size":1)"},
        std::string{R"(<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aa">]><x>&a;</x>)"},
        std::string{R"({"_elementType":"MediaContainer","_children":[]})"}})
    CHECK_MESSAGE(files(body) == "garbage", body);
}

TEST_CASE("S1-23: the files in a folder, as Plex lists them, by their names") {
  const auto names = [](const std::string& members) {
    const auto read = read_browse(container(members));
    if (!read) return read.error().code;
    std::string text;
    for (const std::string& name : *read) text += (text.empty() ? "" : " ") + name;
    return text;
  };
  CHECK(names(R"("size":3,"Path":[{"path":"/media/films/A"}],)"
              R"("File":[{"path":"/media/films/a.txt","title":"a.txt"},)"
              R"({"path":"C:\\films\\b.txt"}])") == "a.txt b.txt");
  CHECK(names(R"("size":1,"Path":[{"path":"/media/films/A"}])").empty());
  CHECK(names(R"("size":0)").empty());
  CHECK(names(R"("size":1)") == "server_garbage");
  CHECK(read_browse("<html>").error().code == "server_garbage");
}

}  // namespace haul::plex

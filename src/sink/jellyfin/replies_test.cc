// The requests to Jellyfin and Emby, and their answers in the shapes that real servers send.

#include "sink/jellyfin/replies.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

namespace haul::jellyfin {
namespace {

const JellyfinSettings kSettings{.url = "http://jellyfin:8096", .api_key = "jelly-secret"};

// "path size" of every file, and "garbage" for a fault.
std::string files(std::string_view body) {
  const auto page = read_items(body);
  if (!page) return page.error().code == "server_garbage" ? "garbage" : page.error().code;
  std::string text;
  for (const JellyfinItem& item : page->items)
    for (const media_server::ListedFile& file : item.files)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", file.path, file.size);
  return text;
}

bool has_header(const ServerCall& call, std::string_view begin) {
  return std::ranges::any_of(call.headers,
                             [&](const std::string& each) { return each.starts_with(begin); });
}

}  // namespace

TEST_CASE("Jellyfin and Emby are told apart by what they say of themselves") {
  CHECK(read_info(R"({"LocalAddress":"http://192.0.2.10:8096","ServerName":"homelab",)"
                  R"("Version":"10.11.11","ProductName":"Jellyfin Server","OperatingSystem":"",)"
                  R"("Id":"03b5e7fd4c8a4de8b4164d4d21b72608","StartupWizardCompleted":true})")
            .value() == PublicInfo{Flavor::jellyfin, "10.11.11"});
  CHECK(read_info(R"({"LocalAddress":"http://192.0.2.10:8096","ServerName":"emby",)"
                  R"("Version":"4.8.11.0","Id":"6a8d3c"})")
            .value() == PublicInfo{Flavor::emby, "4.8.11.0"});
  for (const char* body : {"", "<html>", "{}", R"({"Version":"1"})", "[]"})
    CHECK_MESSAGE(!read_info(body), body);
}

TEST_CASE("Jellyfin's list of libraries is an array, Emby's an object, and both mean the same") {
  const std::string list =
      R"([{"Name":"Films","Locations":["/media/films","/more"],"CollectionType":"movies",)"
      R"("LibraryOptions":{"Enabled":true},"ItemId":"f137a2dd21bbc1b99aa5c0f6bf02a805"},)"
      R"({"Name":"Series","Locations":["/media/series"],"CollectionType":"tvshows","ItemId":"7"},)"
      R"({"Name":"Both","Locations":["/media/both"],"CollectionType":null,"ItemId":"8"},)"
      R"({"Name":"Music","Locations":["/media/music"],"CollectionType":"music","ItemId":"9"},)"
      R"({"Name":"Odd","Locations":["/media/odd"],"CollectionType":"movies","ItemId":"../x"}])";
  const std::vector<media_server::ServerLibrary> libraries{
      {"f137a2dd21bbc1b99aa5c0f6bf02a805", "movie", {"/media/films", "/more"}},
      {"7", "series", {"/media/series"}},
      {"8", "", {"/media/both"}}};
  CHECK(read_folders(list).value() == libraries);
  CHECK(read_folders(R"({"Items":)" + list + R"(,"TotalRecordCount":5})").value() == libraries);
  for (const char* body : {"", "<html>", "{}", R"({"Items":{}})", "null"})
    CHECK_MESSAGE(!read_folders(body), body);
}

TEST_CASE("an item's files are its sources, with the sizes that the server knows") {
  CHECK(files(R"({"Items":[{"Name":"A","Id":"65cb","Type":"Movie","CommunityRating":6.8,)"
              R"("ChannelId":null,"Path":"/m/a.mkv","MediaSources":[)"
              R"({"Protocol":"File","Path":"/m/a.mkv","Size":1462111938},)"
              R"({"Protocol":"File","Path":"/m/a 4k.mkv","Size":null}]},)"
              R"({"Name":"B","Id":"65cc","Path":"/m/b.mkv"}],"TotalRecordCount":2})") ==
        "/m/a.mkv 1462111938, /m/a 4k.mkv -1");
  CHECK(files(R"({"Items":[],"TotalRecordCount":0,"StartIndex":0})").empty());
}

TEST_CASE("S1-19: what is not a list of items is garbage, not an empty list") {
  for (const char* body :
       {"", "<html>", "null", "[]", "{}", R"({"Items":null})", R"({"Items":{}})", R"({"Items":[)"})
    CHECK_MESSAGE(files(body) == "garbage", body);
}

TEST_CASE("each gets the key in the header that it reads, and never in an address") {
  for (const Flavor flavor : {Flavor::jellyfin, Flavor::emby})
    for (const ServerCall& call :
         {ask_folders(kSettings, flavor), ask_update(kSettings, flavor, {"/media/a"}),
          ask_items(kSettings, flavor, {.parent = "7"})}) {
      const bool is_emby = flavor == Flavor::emby;
      CHECK(has_header(call, R"(Authorization: MediaBrowser Token="jelly-secret")") != is_emby);
      CHECK(has_header(call, "X-Emby-Token: jelly-secret") == is_emby);
      CHECK(call.target.find("jelly-secret") == std::string::npos);
    }
  CHECK(ask_folders(kSettings, Flavor::jellyfin).target == "/Library/VirtualFolders");
  CHECK(ask_folders(kSettings, Flavor::emby).target == "/Library/VirtualFolders/Query");
  CHECK_FALSE(has_header(ask_info(), "Authorization"));
  CHECK_FALSE(has_header(ask_info(), "X-Emby-Token"));
}

TEST_CASE("an update names every folder, and a page says which items it wants") {
  const ServerCall update = ask_update(kSettings, Flavor::jellyfin, {"/m/Ä \"x\"", "/m/b"});
  CHECK(update.method == "POST");
  CHECK(update.target == "/Library/Media/Updated");
  CHECK(update.body == R"({"Updates":[{"Path":"/m/Ä \"x\"","UpdateType":"Created"},)"
                       R"({"Path":"/m/b","UpdateType":"Created"}]})");
  CHECK(ask_items(kSettings, Flavor::jellyfin,
                  {.parent = "7", .types = "Movie", .title = "A B", .start = 100, .limit = 100})
            .target ==
        "/Items?ParentId=7&Recursive=true&Fields=Path%2CMediaSources&IncludeItemTypes=Movie&"
        "SortBy=DateCreated&SortOrder=Descending&StartIndex=100&Limit=100&EnableImages=false&"
        "EnableTotalRecordCount=false&SearchTerm=A%20B");
}

TEST_CASE("S1-23: the files in a folder are asked for by its path, and listed by their names") {
  const ServerCall call = ask_contents(kSettings, Flavor::jellyfin, "/media/a b");
  CHECK(call.target ==
        "/Environment/DirectoryContents?path=%2Fmedia%2Fa%20b&includeFiles=true&"
        "includeDirectories=false");
  CHECK(call.not_found == "no_such_folder");
  CHECK(call.target.find("jelly-secret") == std::string::npos);

  const auto names = read_contents(R"([{"Name":"a.txt","Path":"/media/a.txt","Type":"File"}])");
  CHECK((names == std::vector<std::string>{"a.txt"}));
  CHECK(read_contents("[]").value().empty());
  CHECK(read_contents("{}").error().code == "server_garbage");
  CHECK(read_contents("<html>").error().code == "server_garbage");
}

}  // namespace haul::jellyfin

// Telling Jellyfin or Emby of new files, and asking whether it lists them.

#include "sink/jellyfin/jellyfin.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "support/io/temp_folder.h"
#include "support/server/fake_jellyfin.h"
#include "support/server/media_server_bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;
using Is = FakeMood::Is;
using Shape = FakeJellyfin::Shape;

// A server in a container, which has haul's /srv as /media.
struct JellyfinBench {
  explicit JellyfinBench(Shape shape = Shape::jellyfin12, const std::string& map = "/media=/srv")
      : fake{shape},
        bench{[this](const io::HttpRequest& request) { return fake.answer(request); },
              [&](io::HttpLoop& loop, const Clock& clock) {
                const std::vector<std::string> entries{map};
                return jellyfin::make_jellyfin_server(
                    loop, clock,
                    {.url = "http://jellyfin:8096",
                     .api_key = "jelly-secret",
                     .paths = PathMap::parse(entries).value(),
                     .on_trouble = [this](const Fault* fault) {
                       troubles.push_back(fault ? fault->code : "well");
                     }});
              }} {
    fake.folders = {{"f1", "movies", {"/media/films"}},
                    {"f2", "tvshows", {"/media/series"}},
                    {"f3", "", {"/media/both"}}};
  }

  void add(const std::string& folder, const std::string& name, const std::string& path,
           std::optional<std::int64_t> size = 10, const std::string& series = "") {
    fake.items.push_back(
        {.folder = folder, .name = name, .path = path, .size = size, .series = series});
  }

  FakeJellyfin fake;
  std::vector<std::string> troubles;
  MediaServerBench bench;
};

const std::string kPath = "/srv/films/A/A.mkv";
const std::string kThere = "/media/films/A/A.mkv";

}  // namespace

TEST_CASE("every flavor is told of folders in one request, as it sees them") {
  for (const Shape shape : {Shape::jellyfin10, Shape::jellyfin12, Shape::emby}) {
    JellyfinBench b{shape};
    CHECK(b.bench.server->name() == "jellyfin");
    CHECK(b.bench.tell({"/srv/series/S", "/srv/films/A", "/srv/films/A"}) == "told");
    const std::string list = shape == Shape::emby ? "/Query" : "";
    CHECK(b.fake.told() == "GET /System/Info/Public, GET /Library/VirtualFolders" + list +
                               ", POST /Library/Media/Updated");
    CHECK(b.fake.log.back().body ==
          R"({"Updates":[{"Path":"/media/films/A","UpdateType":"Created"},)"
          R"({"Path":"/media/series/S","UpdateType":"Created"}]})");
    CHECK(b.bench.tell({"/srv/films/B"}) == "told");
    CHECK(b.fake.told() == "POST /Library/Media/Updated");
  }
}

TEST_CASE("a file that is there is indexed after the server was told, and then found") {
  for (const Shape shape : {Shape::jellyfin12, Shape::emby}) {
    const TempFolder folder;
    std::filesystem::create_directories(folder / "films/A");
    std::ofstream{folder / "films/A/A.mkv"} << "0123456789";
    const std::vector<std::string> map{"/media=" + folder.path().string()};
    JellyfinBench b{shape, map.front()};
    b.fake.disk = PathMap::parse(map).value();
    b.fake.indexes_at_once = false;
    const std::string path = (folder / "films/A/A.mkv").string();

    CHECK(b.bench.tell({(folder / "films/A").string()}) == "told");
    CHECK(b.bench.find_film("A", {{path, 10}}) == "none");
    b.fake.index();
    CHECK(b.bench.find_film("A", {{path, 10}}) == path + " 10");
    CHECK(b.bench.find_film("A", {{path, 11}}) == "none");
  }
}

TEST_CASE("A1-4: the same title elsewhere, another size, no size, another library: none") {
  JellyfinBench b;
  b.add("f1", "A", "/media/films/Old/A.mkv");
  b.add("f1", "A", kThere, 9);
  b.add("f1", "A", kThere, std::nullopt);
  b.add("f3", "A", kThere);
  b.add("f1", "A", kPath);
  CHECK(b.bench.find_film("A", {{kPath, 10}}) == "none");
  b.add("f1", "Another title", kThere);
  CHECK(b.bench.find_film("A", {{kPath, 10}}) == kPath + " 10");
}

TEST_CASE("a film is looked for by its title, then page by page from the newest, to a limit") {
  JellyfinBench b;
  b.add("f1", "The Film", kThere);
  b.fake.fill("f1", 250);
  CHECK(b.bench.find_film("the film", {{kPath, 10}}) == kPath + " 10");
  CHECK(b.fake.told().ends_with(
      ", GET /Items ParentId=f1 IncludeItemTypes=Movie,Video SearchTerm=the film StartIndex=0"));
  CHECK(b.bench.find_film("Le Film", {{kPath, 10}}) == kPath + " 10");
  CHECK(b.fake.told() ==
        "GET /Items ParentId=f1 IncludeItemTypes=Movie,Video SearchTerm=Le Film StartIndex=0, "
        "GET /Items ParentId=f1 IncludeItemTypes=Movie,Episode,Video StartIndex=0, "
        "GET /Items ParentId=f1 IncludeItemTypes=Movie,Episode,Video StartIndex=100, "
        "GET /Items ParentId=f1 IncludeItemTypes=Movie,Episode,Video StartIndex=200");

  b.fake.fill("f1", 100'000);
  b.fake.log.clear();
  CHECK(b.bench.find_film("Le Film", {{kPath, 10}}) == "none");
  CHECK(b.fake.log.size() == 11);
}

TEST_CASE("an episode is looked for in its series, whichever library that is in") {
  for (const std::string folder : {"f2", "f3"}) {
    JellyfinBench b;
    const std::string below = folder == "f2" ? "series" : "both";
    const std::string path = fmt::format("/srv/{}/S/Season 01/S01E01.mkv", below);
    const std::string there = fmt::format("/media/{}/S/Season 01/S01E01.mkv", below);
    b.add(folder, "Pilot", there, 10, "S");
    b.add(folder, "Pilot", "/media/x.mkv", 10, "Some other S");
    b.fake.fill(folder, 2'000);

    CHECK(b.bench.find({"series", "s", 1, {{path, 10}}}) == path + " 10");
    CHECK(b.fake.log.size() == 4);
    CHECK(b.fake.log[2].field("IncludeItemTypes") == "Series");
    CHECK(b.fake.log[3].field("IncludeItemTypes") == "Episode");
  }
}

TEST_CASE("S1-19: what is wrong with the server is told, and is never not found") {
  struct Row {
    Is mood;
    std::string told;
  };
  for (const std::string only : {"", "/System/Info", "/Library", "/Items"})
    for (const Row& row : std::vector<Row>{{Is::unreachable, "environment server_unreachable"},
                                           {Is::starting, "environment server_unreachable"},
                                           {Is::unauthorized, "environment server_refused_token"},
                                           {Is::garbage, "retryable server_garbage"},
                                           {Is::redirecting, "retryable server_garbage"}}) {
      JellyfinBench b;
      b.fake.mood = {.is = row.mood, .only = only};
      CHECK(b.bench.find_film("A", {{kPath, 10}}) == row.told);
      if (only != "/Items") CHECK(b.bench.tell({"/srv/films/A"}) == row.told);
      b.fake.mood = {};
      CHECK(b.bench.find_film("A", {{kPath, 10}}) == "none");
      CHECK(b.bench.tell({"/srv/films/A"}) == "told");
    }
}

TEST_CASE("a wrong key is refused, and no address ever has it") {
  JellyfinBench b;
  b.fake.api_key = "another";
  CHECK(b.bench.tell({"/srv/films/A"}) == "environment server_refused_token");
  CHECK(b.troubles == std::vector<std::string>{"server_refused_token"});
  b.fake.api_key = "jelly-secret";
  CHECK(b.bench.tell({"/srv/films/A"}) == "told");
  for (const SentRequest& each : b.fake.log)
    CHECK_MESSAGE(each.url.find("jelly-secret") == std::string::npos, each.url);
}

TEST_CASE("a path that no entry of the map covers, or no library has, is told as such") {
  JellyfinBench b;
  CHECK(b.bench.tell({"/other/A"}) == "environment path_not_mapped");
  CHECK(b.bench.find_film("A", {{"/srv/music/A.mkv", 10}}) == "environment path_not_in_library");
}

TEST_CASE("a server that never answers is unreachable in 30 s, unless the question is withdrawn") {
  JellyfinBench b;
  b.fake.mood = {.is = Is::silent};
  const auto question = b.bench.ask_find({"movie", "A", {}, {{kPath, 10}}});
  auto withdrawn = b.bench.ask_tell({"/srv/films/A"});
  CHECK(b.bench.after(0s).empty());
  withdrawn.reset();
  CHECK(b.bench.after(29'999ms).empty());
  CHECK(b.bench.after(1ms) == "environment server_unreachable");
  const auto open = b.bench.ask_find({"movie", "A", {}, {{kPath, 10}}});
  b.bench.answered();
  b.bench.end();
  CHECK(b.bench.after(60s).empty());
}

}  // namespace haul::testing

// Telling Plex of new files, and what happens when Plex does not answer as it should.

#include "sink/plex/plex.h"

#include <doctest/doctest.h>

#include <fstream>

#include "support/io/temp_folder.h"
#include "support/server/fake_plex.h"
#include "support/server/media_server_bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;
using Is = FakeMood::Is;

// Plex in a container, which has haul's /srv/library as /media.
struct PlexBench {
  explicit PlexBench(const std::vector<std::string>& map = {"/media=/srv/library"})
      : bench{[this](const io::HttpRequest& request) { return plex.answer(request); },
              [&](io::HttpLoop& loop, const Clock& clock) {
                plex::PlexSettings settings{.url = "http://plex:32400",
                                            .token = "plex-secret",
                                            .paths = PathMap::parse(map).value()};
                settings.on_trouble = [this](const Fault* fault) {
                  troubles.push_back(fault ? fault->code : "well");
                };
                return plex::make_plex_server(loop, clock, settings);
              }} {
    plex.sections = {{"1", "movie", {"/media/films"}}, {"2", "show", {"/media/series"}}};
  }

  FakePlex plex;
  std::vector<std::string> troubles;
  MediaServerBench bench;
};

const std::string kFolder = "/srv/library/films/A (2020)";
const std::string kRefresh = "GET /library/sections/1/refresh path=/media/films/A (2020)";
const std::vector<WantedFile> kFile{{kFolder + "/A.mkv", 10}};

}  // namespace

TEST_CASE("S1-20: Plex is told of a folder as it sees it, in the library that has it") {
  PlexBench b;
  CHECK(b.bench.server->name() == "plex");
  CHECK(b.bench.tell({kFolder, "/srv/library/series/S/Season 01", kFolder}) == "told");
  CHECK(b.plex.told() == "GET /library/sections, " + kRefresh +
                             ", GET /library/sections/2/refresh path=/media/series/S/Season 01");
}

TEST_CASE("the folder that a library begins with is a scan of the whole library") {
  PlexBench b;
  CHECK(b.bench.tell({"/srv/library/films"}) == "told");
  CHECK(b.plex.told() == "GET /library/sections, GET /library/sections/1/refresh");
}

TEST_CASE("a folder is not scanned twice in 30 s, and no scan is left out") {
  PlexBench b;
  CHECK(b.bench.tell({kFolder}) == "told");
  b.plex.told();
  b.bench.clock.pass(1s);
  const auto first = b.bench.ask_tell({kFolder});
  const auto second = b.bench.ask_tell({kFolder});

  CHECK(b.bench.after(28'999ms).empty());
  CHECK(b.plex.told().empty());
  b.bench.loop.takes = 100ms;
  CHECK(b.bench.after(1ms).empty());
  CHECK(b.bench.after(100ms) == "told");
  CHECK(b.bench.after(100ms) == "told");
  CHECK(b.plex.told() == kRefresh);  // One scan for both.
}

TEST_CASE("another folder, and the same folder 30 s later, are scanned at once") {
  PlexBench b;
  CHECK(b.bench.tell({kFolder}) == "told");
  CHECK(b.bench.tell({"/srv/library/films/B"}) == "told");
  b.bench.clock.pass(30s);
  CHECK(b.bench.tell({kFolder}) == "told");
}

TEST_CASE("a scan that Plex did not take is asked for again at once") {
  PlexBench b;
  b.plex.mood = {.is = Is::starting, .only = "refresh"};
  CHECK(b.bench.tell({kFolder}) == "environment server_unreachable");
  b.plex.mood = {};
  CHECK(b.bench.tell({kFolder}) == "told");
}

TEST_CASE("S1-5: a file that is there is indexed after Plex was told, and then found") {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "films/A");
  std::ofstream{folder / "films/A/A.mkv"} << "0123456789";
  const std::vector<std::string> map{"/media=" + folder.path().string()};
  PlexBench b{map};
  b.plex.disk = PathMap::parse(map).value();
  b.plex.scans_at_once = false;
  const std::string path = (folder / "films/A/A.mkv").string();

  CHECK(b.bench.find_film("A", {{path, 10}}) == "none");
  CHECK(b.bench.tell({(folder / "films/A").string()}) == "told");
  CHECK(b.bench.find_film("A", {{path, 10}}) == "none");
  b.plex.scan();
  CHECK(b.bench.find_film("A", {{path, 10}}) == path + " 10");
  CHECK(b.bench.find_film("A", {{path, 11}}) == "none");
}

TEST_CASE("S1-19: what is wrong with Plex is told, and is never not found") {
  struct Row {
    Is mood;
    std::string told;
  };
  for (const std::string only : {"", "/library/sections", "/refresh", "/all"})
    for (const Row& row : std::vector<Row>{{Is::unreachable, "environment server_unreachable"},
                                           {Is::starting, "environment server_unreachable"},
                                           {Is::unauthorized, "environment server_refused_token"},
                                           {Is::garbage, "retryable server_garbage"},
                                           {Is::redirecting, "retryable server_garbage"}}) {
      PlexBench b;
      b.plex.mood = {.is = row.mood, .only = only};
      const bool is_taken = only == "/refresh" && row.mood == Is::garbage;  // Plex sends any body.
      if (only != "/all") CHECK(b.bench.tell({kFolder}) == (is_taken ? "told" : row.told));
      if (only != "/refresh") CHECK(b.bench.find_film("A", kFile) == row.told);
      b.plex.mood = {};
      CHECK(b.bench.find_film("A", kFile) == "none");
    }
}

TEST_CASE("a wrong token is refused, and no address ever has it") {
  PlexBench b;
  b.plex.token = "another";
  CHECK(b.bench.tell({kFolder}) == "environment server_refused_token");
  CHECK(b.bench.find_film("A", kFile) == "environment server_refused_token");
  CHECK(b.troubles == std::vector<std::string>{"server_refused_token"});
  b.plex.token = "plex-secret";
  CHECK(b.bench.find_film("A", kFile) == "none");
  CHECK(b.troubles.back() == "well");
  for (const SentRequest& each : b.plex.log)
    CHECK_MESSAGE(each.url.find("plex-secret") == std::string::npos, each.url);
}

TEST_CASE("Plex that takes a question and never answers is unreachable, in 30 s") {
  PlexBench b;
  b.plex.mood = {.is = Is::silent};
  const auto question = b.bench.ask_find({"movie", "A", {}, kFile});
  CHECK(b.bench.after(0s).empty());
  CHECK(b.bench.after(29'999ms).empty());
  CHECK(b.bench.after(1ms) == "environment server_unreachable");
}

TEST_CASE("S1-20: a path that no entry of the map covers, or no library has, is told as such") {
  PlexBench b;
  CHECK(b.bench.tell({"/srv/other"}) == "environment path_not_mapped");
  CHECK(b.bench.find_film("A", {{"/srv/library2/films/A.mkv", 10}}) ==
        "environment path_not_mapped");
  CHECK(b.bench.tell({"/srv/library/films2/A"}) == "environment path_not_in_library");
  CHECK(b.bench.find_film("A", {{"/srv/library/music/A.mkv", 10}}) ==
        "environment path_not_in_library");
  b.plex.sections.push_back({"3", "movie", {"/media/films2"}});
  CHECK(b.bench.tell({"/srv/library/films2/A"}) == "told");
}

TEST_CASE("a map that is empty is not the identity") {
  PlexBench nothing{std::vector<std::string>{}};
  CHECK(nothing.bench.tell({"/media/films/A"}) == "environment path_not_mapped");
  PlexBench same{std::vector<std::string>{"identity"}};
  CHECK(same.bench.tell({"/media/films/A"}) == "told");
}

TEST_CASE("a question that is withdrawn gets no answer, and Plex no more requests") {
  PlexBench b;
  auto question = b.bench.ask_find({"movie", "A", {}, kFile});
  question.reset();
  CHECK(b.bench.answered().empty());
  CHECK(b.bench.tell({kFolder}) == "told");
  auto waiting = b.bench.ask_tell({kFolder});
  b.bench.answered();
  b.plex.told();
  waiting.reset();
  CHECK(b.bench.after(60s).empty());
  CHECK(b.plex.told().empty());
}

TEST_CASE("a server that ends answers nothing any more, and leaves nothing behind") {
  PlexBench b;
  b.bench.tell({kFolder});
  const auto waiting = b.bench.ask_tell({kFolder});  // For the next scan.
  b.bench.answered();
  b.plex.mood = {.is = Is::silent};
  const auto silent = b.bench.ask_find({"movie", "A", {}, kFile});
  b.bench.answered();
  b.bench.end();
  CHECK(b.bench.after(60s).empty());
}

}  // namespace haul::testing

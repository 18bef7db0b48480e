// Which files Plex is believed to have indexed, and what it costs to find out.

#include "sink/plex/find.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "sink/plex/plex.h"
#include "support/server/fake_plex.h"
#include "support/server/media_server_bench.h"

namespace haul::testing {
namespace {

using plex::PlexMatch;

constexpr std::size_t kMiB = std::size_t{1} << 20U;

struct FindBench {
  explicit FindBench(PlexMatch match = PlexMatch::path)
      : bench{[this](const io::HttpRequest& request) { return plex.answer(request); },
              [&](io::HttpLoop& loop, const Clock& clock) {
                return plex::make_plex_server(
                    loop, clock,
                    {.url = "http://plex:32400",
                     .token = "plex-secret",
                     .paths = PathMap::parse(std::vector<std::string>{"/media=/srv"}).value(),
                     .match = match});
              }} {
    plex.sections = {{"1", "movie", {"/media/films"}},
                     {"2", "show", {"/media/series"}},
                     {"3", "movie", {"/media"}}};
  }

  void add_film(const std::string& title, const std::string& file, std::int64_t size = 10,
                const std::string& section = "1") {
    plex.add({.section = section, .title = title, .file = file, .size = size});
  }
  void add_episodes(const std::string& show, int seasons, int episodes) {
    for (int season = 1; season <= seasons; ++season)
      for (int episode = 1; episode <= episodes; ++episode)
        plex.add({.section = "2",
                  .title = fmt::format("Episode {}", episode),
                  .file = episode_file("/media", show, season, episode),
                  .size = 100 + episode,
                  .show = show,
                  .season = season,
                  .episode = episode});
  }
  static std::string episode_file(const std::string& root, const std::string& show, int season,
                                  int episode) {
    return fmt::format("{}/series/{}/Season {:02}/S{:02}E{:02}.mkv", root, show, season, season,
                       episode);
  }
  // "3 requests" or "too many", for the question that was asked since the last call.
  std::string cost() {
    const std::size_t requests = plex.log.size();
    const std::size_t bytes = plex.bytes;
    plex.log.clear();
    plex.bytes = 0;
    return requests <= 3 && bytes <= kMiB ? "cheap" : fmt::format("{} {}", requests, bytes);
  }

  FakePlex plex;
  MediaServerBench bench;
};

const std::string kPath = "/srv/films/A (2020)/A (2020).mkv";
const std::string kThere = "/media/films/A (2020)/A (2020).mkv";

}  // namespace

TEST_CASE("S1-10: a file is found by its title, with one request once the libraries are known") {
  FindBench b;
  b.add_film("A", kThere);
  CHECK(b.bench.find_film("A", {{kPath, 10}}) == kPath + " 10");
  CHECK(b.plex.told() == "GET /library/sections, GET /library/sections/1/all type=1 title=A");
  CHECK(b.bench.find_film("a", {{kPath, 10}}) == kPath + " 10");
  CHECK(b.plex.told() == "GET /library/sections/1/all type=1 title=a");
}

TEST_CASE(
    "A1-4: the same title elsewhere, the same path with another size, another section: none") {
  FindBench b;
  b.add_film("A", "/media/films/Old/A (2020).mkv");  // The same title and size.
  b.add_film("A", kThere, 9);                        // Another size.
  b.add_film("A", "/media/films/A (2020)/A (2020).mkv2");
  b.add_film("A", kThere, 10, "3");  // A library that it does not belong to.
  b.add_film("A", kPath);            // haul's path, not Plex's.
  CHECK(b.bench.find_film("A", {{kPath, 10}}) == "none");
  b.plex.add(
      {.section = "1", .title = "A", .file = kThere, .size = 10, .more = R"(,"exists":false)"});
  CHECK(b.bench.find_film("A", {{kPath, 10}}) == "none");
  b.add_film("A", kThere);
  CHECK(b.bench.find_film("A", {{kPath, 10}}) == kPath + " 10");
}

TEST_CASE("a file that Plex matched to another title is found among the newest") {
  FindBench b;
  b.plex.fill("1", 1'000);
  b.add_film("Quite another title", kThere);
  b.plex.fill("1", 150);
  CHECK(b.bench.find_film("A (2020)", {{kPath, 10}}) == kPath + " 10");
  CHECK(b.bench.find_film("", {{kPath, 10}}) == kPath + " 10");
}

TEST_CASE("one file among 100,000 takes at most 3 requests and 1 MiB, found or not") {
  FindBench b;
  b.add_film("The Film", kThere);
  b.plex.fill("1", 100'000);
  CHECK(b.bench.find_film("The Film", {{kPath, 10}}) == kPath + " 10");
  CHECK(b.cost() == "cheap");
  CHECK(b.bench.find_film("Other", {{kPath, 10}}) == "none");  // A title that all others have.
  CHECK(b.cost() == "cheap");
  b.bench.clock.pass(std::chrono::hours{1});  // The libraries are asked for again.
  CHECK(b.bench.find_film("Nothing", {{kPath, 11}}) == "none");
  CHECK(b.cost() == "cheap");
}

TEST_CASE("episodes are found by the title of their series, a whole season at once") {
  FindBench b;
  b.add_episodes("S", 2, 8);
  FindFiles wanted{.kind = "series", .title = "s", .season = 2, .files = {}};
  for (int episode = 1; episode <= 9; ++episode)
    wanted.files.push_back({FindBench::episode_file("/srv", "S", 2, episode), 100 + episode});
  std::string eight;
  for (int episode = 1; episode <= 8; ++episode)
    eight += fmt::format("{}{} {}", episode == 1 ? "" : ", ",
                         FindBench::episode_file("/srv", "S", 2, episode), 100 + episode);
  CHECK(b.bench.find(wanted) == eight);  // The ninth is not there yet.
  CHECK(b.cost() == "cheap");
}

TEST_CASE("an old episode of a long series is found in its season, or among all episodes") {
  FindBench b;
  b.add_episodes("Long", 20, 10);
  b.plex.fill("2", 400);
  b.add_episodes("Long", 1, 1);  // A second entry of the first episode, the newest of all.
  const std::string path = FindBench::episode_file("/srv", "Long", 1, 5);
  FindFiles wanted{.kind = "series", .title = "Long", .season = 1, .files = {{path, 105}}};
  CHECK(b.bench.find_film("Long", {{"/srv/films/none.mkv", 1}}) == "none");  // Learns libraries.
  b.plex.told();

  CHECK(b.bench.find(wanted) == path + " 105");
  CHECK(b.plex.told() ==
        "GET /library/sections/2/all type=4 show.title=Long, "
        "GET /library/sections/2/all type=4, GET /library/metadata/50000001/children");
  wanted.season.reset();
  wanted.files = {{FindBench::episode_file("/srv", "Long", 3, 5), 105}};
  CHECK(b.bench.find(wanted) == wanted.files.front().path + " 105");
  CHECK(b.plex.told() ==
        "GET /library/sections/2/all type=4 show.title=Long, "
        "GET /library/sections/2/all type=4, GET /library/metadata/500000/allLeaves");
}

TEST_CASE("Z-18: with match = title the title is enough, and only the same title") {
  FindBench b{PlexMatch::title};
  CHECK(b.bench.server->match() == "title");
  CHECK(FindBench{}.bench.server->match() == "path");
  b.add_film("A story", "/media/films/x.mkv");
  CHECK(b.bench.find_film("A", {{kPath, 10}}) == "none");
  b.add_film("A", "/media/films/y.mkv", 99);
  CHECK(b.bench.find_film("a", {{kPath, 10}}) == kPath + " 10");
  b.add_episodes("S", 1, 1);
  CHECK(b.bench.find({"series", "S", 1, {{"/srv/series/S/none.mkv", 1}}}) ==
        "/srv/series/S/none.mkv 1");
}

TEST_CASE("a server that sends more than haul asked for is asked for less the next time") {
  FindBench b;
  b.plex.knows_excludes = false;
  b.plex.fill("1", 1'000);
  b.add_film("Quite another title", kThere);
  std::string answer = "retryable server_garbage";
  int asked = 0;
  for (; answer == "retryable server_garbage" && asked < 5; ++asked)
    answer = b.bench.find_film("A (2020)", {{kPath, 10}});
  CHECK(answer == kPath + " 10");
  CHECK(asked > 1);
}

TEST_CASE("files of two libraries are looked for in both") {
  FindBench b;
  b.add_film("A", kThere);
  b.add_episodes("A", 1, 1);
  const std::string episode = FindBench::episode_file("/srv", "A", 1, 1);
  CHECK(b.bench.find({"series", "A", {}, {{episode, 101}, {kPath, 10}}}) ==
        episode + " 101, " + kPath + " 10");
}

}  // namespace haul::testing

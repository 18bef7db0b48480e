#include "sink/library/naming.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hostile/names.h"
#include "io/file/filename.h"

namespace haul::library {
namespace {

using namespace std::chrono;

NameValues film() { return {.title = "Alien", .year = 1979, .quality = "Bluray-1080p"}; }

std::string movie(std::string_view text, const NameValues& values = film()) {
  const auto pieces = read_template(TemplateUse::movie, text);
  return pieces ? name_path(*pieces, values) : pieces.error().why;
}

std::string series(std::string_view text, const NameValues& values) {
  const auto pieces = read_template(TemplateUse::series, text);
  return pieces ? name_path(*pieces, values) : pieces.error().why;
}

std::string episode(std::string_view text, const std::vector<int>& episodes) {
  return series(text, {.title = "Show", .season = 1, .episodes = episodes});
}

}  // namespace

TEST_CASE("S1-21: the default templates give the names that Plex and Jellyfin recommend") {
  CHECK(movie(kMovieTemplate) == "Alien (1979)/Alien (1979) [Bluray-1080p]");
  CHECK(episode(kSeriesTemplate, {2}) == "Show/Season 01/Show - S01E02");
  const auto daily = read_template(TemplateUse::daily, kDailyTemplate);
  REQUIRE(daily);
  CHECK(name_path(*daily, {.title = "Late Show", .season = 2024, .date = 2024y / 1 / 5}) ==
        "Late Show/Season 2024/Late Show - 2024-01-05");
}

TEST_CASE("S1-21: every token gives its value") {
  const NameValues values{.title = "It's Me & You (2)",
                          .year = 2003,
                          .season = 2,
                          .episodes = {7},
                          .date = 2003y / 2 / 1,
                          .episode_title = "Pilot",
                          .quality = "WEBDL-720p",
                          .revision = "Proper",
                          .edition = "Uncut",
                          .group = "GRP",
                          .original = "Show.S02E07"};
  CHECK(series("{Series CleanTitle}, {Release Year}, {season}x{episode:000}, {Original Title}",
               values) == "Its Me and You 2, 2003, 2x007, Show.S02E07");
  CHECK(series("{Original Title}, {Episode Title}, {Air-Date}, {Quality Full}, {Quality Title}, "
               "{Edition Tags}, {Release Group}",
               values) ==
        "Show.S02E07, Pilot, 2003-02-01, WEBDL-720p Proper, WEBDL-720p, Uncut, GRP");
}

TEST_CASE("S1-21: several episodes are named as a range, and gaps in it are kept") {
  CHECK(episode(kSeriesTemplate, {1, 2}) == "Show/Season 01/Show - S01E01-E02");
  CHECK(episode(kSeriesTemplate, {1, 2, 3}) == "Show/Season 01/Show - S01E01-E03");
  CHECK(episode(kSeriesTemplate, {1, 3}) == "Show/Season 01/Show - S01E01E03");
  CHECK(episode(kSeriesTemplate, {1, 3, 4}) == "Show/Season 01/Show - S01E01E03-E04");
  CHECK(episode("{Series Title} {season}x{episode:00}", {1, 2}) == "Show 1x01-x02");
  CHECK(episode("{Series Title} {season} {episode:00}", {1, 2}) == "Show 1 01-02");
  CHECK(episode("{Series Title} S{season:00}E{episode:00}", {100}) == "Show S01E100");
}

TEST_CASE("S1-21: an unknown value takes its brackets and separators with it") {
  const NameValues bare{.title = "Alien"};
  CHECK(movie(kMovieTemplate, bare) == "Alien/Alien");
  CHECK(movie("{Movie Title} ({Release Year}) - {Quality Full}", bare) == "Alien");
  CHECK(movie("{Movie Title} ({Release Year}) - {Quality Full} - cut", bare) == "Alien - cut");
  CHECK(movie("{Movie Title} [{Edition Tags} {Quality Full}] {Release Year}") ==
        "Alien [Bluray-1080p] 1979");
  CHECK(movie("{Movie Title} [{Quality Full} {Edition Tags}] {Release Year}") ==
        "Alien [Bluray-1080p] 1979");
  CHECK(movie("{Movie Title} [{Edition Tags} {Release Group}] {Release Year}") == "Alien 1979");
  CHECK(movie("{Movie Title} [({Edition Tags})] {Release Year}") == "Alien 1979");
  CHECK(movie("{Edition Tags} {Movie Title} {Release Year}") == "Alien 1979");
  CHECK(movie("{Movie Title}.{Edition Tags}.{Release Year}") == "Alien.1979");
  CHECK(movie("{Quality Full}/{Movie Title} {Release Year}", bare) == "Alien");
}

TEST_CASE("S1-21: separators within the braces come and go with the value") {
  CHECK(movie("{Movie Title}{ (Release Year)}{ [Quality Full]}{-Release Group}") ==
        "Alien (1979) [Bluray-1080p]");
  CHECK(movie("{Movie Title}{-Release Group} {Release Year}",
              {.title = "Alien", .year = 1979, .group = "GRP"}) == "Alien-GRP 1979");
}

TEST_CASE("S1-21: brackets, dashes and dots of a title stay, also beside an unknown value") {
  CHECK(movie(kMovieTemplate, {.title = "M.A.S.H. ()"}) == "M.A.S.H. ()/M.A.S.H. ()");
  CHECK(movie("{Movie Title}{Edition Tags} {Release Year}", {.title = "Wall-", .year = 2008}) ==
        "Wall- 2008");
}

TEST_CASE("S1-21: characters that names cannot have are replaced as Radarr and Sonarr do it") {
  const auto titled = [](std::string title) {
    return movie("{Movie Title} {Release Year}", {.title = std::move(title), .year = 2000});
  };
  CHECK(titled("Alien: Covenant") == "Alien - Covenant 2000");
  CHECK(titled("2:22") == "2-22 2000");
  CHECK(titled("Face/Off") == "Face+Off 2000");
  CHECK(titled("What?") == "What! 2000");
  CHECK(titled("M*A*S*H") == "M-A-S-H 2000");
  CHECK(titled("\"<a>|\"") == "a 2000");
  CHECK(titled("  a \t b ") == "a b 2000");
}

TEST_CASE("S1-21: no title gives a path that leaves its folder, or no path") {
  const auto pieces = read_template(TemplateUse::movie, kMovieTemplate);
  for (const auto& [id, wanted, safe, last] : testing::kHostileNames) {
    const std::string path = name_path(*pieces, {.title = wanted, .quality = wanted});
    CHECK_MESSAGE(io::safe_path(path) == path, id);
    CHECK_MESSAGE(std::ranges::count(path, '/') == 1, id);
  }
  CHECK(rc::check([&](const std::string& title) {
    const std::string path = name_path(*pieces, {.title = title});
    RC_ASSERT(io::safe_path(path) == path);
    RC_ASSERT(std::ranges::count(path, '/') == 1);
  }));
  CHECK(movie("{Movie CleanTitle} {Release Year}", {.title = "???"}) == "___");
}

TEST_CASE("S1-21: a long title is cut, and the numbers behind it stay") {
  const std::string title(1'000, 'a');
  const std::string path = series(kSeriesTemplate, {.title = title, .season = 1, .episodes = {2}});
  CHECK(path.ends_with("a - S01E02"));
  CHECK(path.size() < 400);
  CHECK(series(kSeriesTemplate, {.title = std::string(141, 'a'), .season = 1, .episodes = {2}}) ==
        std::string(141, 'a') + "/Season 01/" + std::string(141, 'a') + " - S01E02");
  CHECK(series(kSeriesTemplate, {.title = std::string(142, 'a'), .season = 1, .episodes = {2}}) ==
        std::string(100, 'a') + "/Season 01/" + std::string(100, 'a') + " - S01E02");
}

TEST_CASE("S1-21: a long title is not cut inside a character") {
  std::string title = "a";
  for (int i = 0; i < 100; ++i) title += "\u00e9";
  const std::string path = series("{Series Title} {season:00} {episode:00}",
                                  {.title = title, .season = 1, .episodes = {2}});
  CHECK(path == title.substr(0, 99) + " 01 02");
}

}  // namespace haul::library

#include "sink/library/episode_numbers.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>

#include "sink/library/release.h"

namespace haul::library {
namespace {

// "S1E2,3", "S1-3", "E5", "#137" for a bare number, "2024-1-15"; "" if there are none.
std::string shown(const EpisodeNumbers& numbers) {
  std::string text;
  if (numbers.season) text += fmt::format("S{}", *numbers.season);
  if (numbers.season_last) text += fmt::format("-{}", *numbers.season_last);
  for (std::size_t i = 0; i < numbers.episodes.size(); ++i)
    text += fmt::format("{}{}", i > 0 ? "," : numbers.absolute ? "#" : "E", numbers.episodes[i]);
  if (numbers.date)
    text += fmt::format("{}-{}-{}", static_cast<int>(numbers.date->year()),
                        static_cast<unsigned>(numbers.date->month()),
                        static_cast<unsigned>(numbers.date->day()));
  return text;
}

std::string in(std::string_view name) { return shown(parse_release(name).numbers); }

std::string typed(std::string_view text) {
  const auto numbers = read_numbers(text);
  return numbers ? shown(*numbers) : "nothing";
}

}  // namespace

TEST_CASE("S1-21: a season with an episode is read in every usual form") {
  CHECK(in("Show.S01E02.1080p.WEB.x264-GRP") == "S1E2");
  CHECK(in("show s1e2") == "S1E2");
  CHECK(in("Show - S01E02 - Title") == "S1E2");
  CHECK(in("Show.S01.E02.720p") == "S1E2");
  CHECK(in("Show S01 - E02") == "S1E2");
  CHECK(in("Show.S01EP02") == "S1E2");
  CHECK(in("Show.1x02.HDTV") == "S1E2");
  CHECK(in("Show - 01x02 - Title") == "S1E2");
  CHECK(in("Show Season 1 Episode 2") == "S1E2");
  CHECK(in("Show.Season.01.Episode.02.mkv") == "S1E2");
  CHECK(in("Show.S2014E05.720p") == "S2014E5");
  CHECK(in("Show S00E01 Special") == "S0E1");
  CHECK(in("S01E02.mkv") == "S1E2");
  CHECK(in("Show [S01E02]") == "S1E2");
  CHECK(in("Show.S01E02v2.720p") == "S1E2");
  CHECK(in("Breaking Bad S02 01") == "S2E1");
  CHECK(in("[Group] Show S2 - 5 [1080p]") == "S2E5");
}

TEST_CASE("S1-21: several episodes in one file are all read, in order") {
  CHECK(in("Show.S01E01E02.720p") == "S1E1,2");
  CHECK(in("Show.S01E01-E03.720p") == "S1E1,2,3");
  CHECK(in("Show.S01E01-03.720p") == "S1E1,2,3");
  CHECK(in("Show.S01E01-S01E02.720p") == "S1E1,2");
  CHECK(in("Show.S01E01.E02.720p") == "S1E1,2");
  CHECK(in("Show.S01E01+E02") == "S1E1,2");
  CHECK(in("Show.S01E02E01") == "S1E1,2");
  CHECK(in("Show.1x01x02") == "S1E1,2");
  CHECK(in("Show.1x01-1x03") == "S1E1,2,3");
  CHECK(in("Show.S01E01E01") == "S1E1");
}

TEST_CASE("S1-21: a range goes up, has at most a hundred episodes and stays in its season") {
  CHECK(parse_release("Show.S01E001-E100").numbers.episodes.size() == 100);
  CHECK(in("Show.S01E001-E101") == "S1E1");
  CHECK(in("Show.S01E05-E04") == "S1E5");
  CHECK(in("Show.S01E05-S02E07") == "S1E5");
  CHECK(in("Show.S01E01-720p") == "S1E1");
  CHECK(in("Show.S01E01-2HD") == "S1E1");
  CHECK(in("Show.S01E01-9999") == "S1E1");
}

TEST_CASE("S1-21: packs have a season and no episode") {
  CHECK(in("Show.S01.1080p.BluRay.x264-GRP") == "S1");
  CHECK(in("Reno.911.S01.DVD") == "S1");
  CHECK(in("My.Series.S2014.720p.HDTV") == "S2014");
  CHECK(in("Show Season 2 Complete") == "S2");
  CHECK(in("Season 01") == "S1");
  CHECK(in("Staffel 3") == "S3");
  CHECK(in("Specials") == "S0");
  CHECK(in("Show.S01-S03.1080p") == "S1-3");
  CHECK(in("Show.S01-03") == "S1-3");
  CHECK(in("Show Seasons 1-3") == "S1-3");
  CHECK(in("Show.S03-S01") == "S3");
}

TEST_CASE("S1-21: an episode without a season stays without one") {
  CHECK(in("Planet Earth II 2016 E01 1080p") == "E1");
  CHECK(in("Show.Episode.5") == "E5");
  CHECK(in("Show Ep 05") == "E5");
  CHECK(in("Show.E01-E03") == "E1,2,3");
  CHECK(in("E5.2019") == "");
}

TEST_CASE("S1-21: a date is read if it is one") {
  CHECK(in("Show.2024.01.15.1080p.WEB") == "2024-1-15");
  CHECK(in("Show 2024-02-29") == "2024-2-29");
  CHECK(in("Show_2024_12_31_Guest") == "2024-12-31");
  CHECK(in("Show.2023.02.29.720p") == "");
  CHECK(in("Show.2024.13.01") == "");
  CHECK(in("Show.2024.1.15") == "");
  CHECK(in("Show.2024-01.15") == "");
  CHECK(in("Show.1899.01.01") == "");
  CHECK(in("Show.2024.01.15.S02E03") == "S2E3");
}

TEST_CASE("S1-21: bare numbers of anime are read and marked") {
  CHECK(in("[SubsPlease] Show - 05 (1080p) [ABCD1234]") == "#5");
  CHECK(in("[Group] One Piece - 1071 [1080p]") == "#1071");
  CHECK(in("[Group] Show - 05v2 [720p]") == "#5");
  CHECK(in("[Group] Show - 01-12 [BD 1080p]") == "#1,2,3,4,5,6,7,8,9,10,11,12");
  CHECK(in("[Group] Show 05 [1080p]") == "#5");
  CHECK(in("[Group][Show][05][1080p]") == "#5");
  CHECK(in("Show - 05 - Title") == "#5");
  CHECK(in("Show - 5") == "#5");
  CHECK(in("05") == "#5");
  CHECK(in("05 - Title") == "#5");
  CHECK(in("05. Title") == "#5");
}

TEST_CASE("S1-21: numbers of titles, years and qualities are no episodes") {
  for (const char* name : {"2012.2009.1080p",
                           "1917.2019.2160p",
                           "Blade.Runner.2049.2017.1080p",
                           "300.2006.720p",
                           "Apollo.13.1995.1080p",
                           "12 Angry Men (1957)",
                           "Movie.1920x1080",
                           "Movie - 1984",
                           "Se7en.1995",
                           "S1m0ne.2002",
                           "Movie.5.1.x264",
                           "E.T.1982",
                           "Movie.x265",
                           "The.100.1080p",
                           "Sex.and.the.City",
                           "Movie 1080p",
                           "",
                           "-",
                           "S",
                           "SE",
                           "x",
                           "1x2",
                           "S01E",
                           "S12345E01"})
    CHECK_MESSAGE(in(name) == "", name);
}

TEST_CASE("S1-21: what a person types is an episode, a season or a date, and nothing else") {
  CHECK(typed("S01E02") == "S1E2");
  CHECK(typed("s1e2") == "S1E2");
  CHECK(typed("S01E01-E03") == "S1E1,2,3");
  CHECK(typed("1x02") == "S1E2");
  CHECK(typed("S01") == "S1");
  CHECK(typed("2024-01-15") == "2024-1-15");
  CHECK(typed("E05") == "E5");
  CHECK(typed("5") == "#5");
  for (const char* text : {"", "movie", "S01E02 1080p", "Show S01E02", "S01 E", "12345", "S1-2-3x"})
    CHECK_MESSAGE(typed(text) == "nothing", text);
}

}  // namespace haul::library

#include "sink/library/release.h"

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <rapidcheck.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "base/utf8.h"

namespace haul::library {
namespace {

// "Title (2009)".
std::string titled(std::string_view name) {
  const ReleaseName release = parse_release(name);
  return release.year ? fmt::format("{} ({})", release.title, *release.year) : release.title;
}

// "Bluray-1080p Proper, x264, GRP, Directors Cut", without what is not there.
std::string made(std::string_view name) {
  const ReleaseName release = parse_release(name);
  std::string text = quality_of(release);
  if (!revision_of(release).empty()) text += " " + std::string{revision_of(release)};
  for (const std::string& part : {release.codec, release.group, release.edition})
    if (!part.empty()) text += ", " + part;
  return text;
}

std::string times(int n, const std::string& what) {
  std::string out;
  for (int i = 0; i < n; ++i) out += what;
  return out;
}

}  // namespace

TEST_CASE("S1-21: the title of a film ends before its year, and dots become blanks") {
  CHECK(titled("The.Movie.Name.2009.1080p.BluRay.x264-GRP") == "The Movie Name (2009)");
  CHECK(titled("The Movie Name (2009) [1080p]") == "The Movie Name (2009)");
  CHECK(titled("The_Movie_Name_2009") == "The Movie Name (2009)");
  CHECK(titled("The.Movie.Name.1080p.BluRay") == "The Movie Name");
  CHECK(titled("The Movie Name") == "The Movie Name");
  CHECK(titled("The.Movie.Name.2009.mkv") == "The Movie Name (2009)");
  CHECK(titled("The.Movie.Name.2009.TS") == "The Movie Name (2009)");
  CHECK(titled("Mr. & Mrs. Smith (2005)") == "Mr. & Mrs. Smith (2005)");
  CHECK(titled("Spider-Man.2002.720p") == "Spider-Man (2002)");
  CHECK(titled("S.W.A.T.2003.1080p") == "S.W.A.T (2003)");
  CHECK(titled("(500) Days of Summer (2009)") == "(500) Days of Summer (2009)");
  CHECK(titled("www.site.org - The.Movie.2009.1080p") == "The Movie (2009)");
}

TEST_CASE("S1-21: a year in the title is not the year of the film") {
  CHECK(titled("2012.2009.1080p.BluRay") == "2012 (2009)");
  CHECK(titled("1917.2019.1080p") == "1917 (2019)");
  CHECK(titled("1917.1080p") == "1917");
  CHECK(titled("1917") == "1917");
  CHECK(titled("Blade.Runner.2049.2017.2160p") == "Blade Runner 2049 (2017)");
  CHECK(titled("Blade Runner 2049 (2017)") == "Blade Runner 2049 (2017)");
  CHECK(titled("Blade.Runner.2049.1080p") == "Blade Runner 2049");
  CHECK(titled("2001.A.Space.Odyssey.1968.1080p") == "2001 A Space Odyssey (1968)");
  CHECK(titled("Wonder.Woman.1984.2020.1080p") == "Wonder Woman 1984 (2020)");
  CHECK(titled("Title (2009) 2012 Edit 1080p") == "Title (2009)");
  CHECK(titled("Movie.1899.1080p") == "Movie 1899");
  CHECK(titled("Movie.1900.1080p") == "Movie (1900)");
  CHECK(titled("Movie.2039.1080p") == "Movie (2039)");
  CHECK(titled("Movie.2040.1080p") == "Movie 2040");
}

TEST_CASE("S1-21: the title of a series ends before its number") {
  CHECK(titled("Show.Name.S01E02.1080p") == "Show Name");
  CHECK(titled("Show.Name.2003.S01E02") == "Show Name (2003)");
  CHECK(titled("Show Name (2003) - S01E02") == "Show Name (2003)");
  CHECK(titled("24.S01E02") == "24");
  CHECK(titled("1883.S01E02.2021") == "1883");
  CHECK(titled("The.100.S04.1080p") == "The 100");
  CHECK(titled("Agents.of.S.H.I.E.L.D.S01E02") == "Agents of S.H.I.E.L.D");
  CHECK(titled("[SubsPlease] Sousou no Frieren - 05 (1080p)") == "Sousou no Frieren");
  CHECK(titled("Late.Show.2024.01.15.1080p") == "Late Show");
  CHECK(titled("S01E02") == "");
}

TEST_CASE("S1-21: a title in brackets at the front is told from a group") {
  CHECK(titled("[REC].2007.1080p") == "[REC] (2007)");
  CHECK(titled("[REC] (2007)") == "[REC] (2007)");
  CHECK(titled("[Group] Movie (2007)") == "Movie (2007)");
  CHECK(parse_release("[Erai-raws] Show - 05 [1080p]").group == "Erai-raws");
  CHECK(parse_release("[www.site.org] Show - 05").group == "");
  CHECK(parse_release("[1080p] Show - 05").group == "");
  CHECK(parse_release("[1080p] Show - 05").resolution == "1080p");
}

TEST_CASE("S1-21: how a release was made is read in any order and case") {
  CHECK(made("M.2009.1080p.BluRay.x264-GRP") == "Bluray-1080p, x264, GRP");
  CHECK(made("M.2009.1080p.Blu-ray.H.264-GRP") == "Bluray-1080p, h264, GRP");
  CHECK(made("M.2009.720P.WEB-DL.h265") == "WEBDL-720p, h265");
  CHECK(made("M.2009.WEB.2160p.HEVC-GRP[rarbg]") == "WEBDL-2160p, h265, GRP");
  CHECK(made("M.2009.BluRay.REMUX.2160p.AV1") == "Remux-2160p, av1");
  CHECK(made("M.2009.UHD.BluRay.1080p.x265") == "Bluray-1080p, x265");
  CHECK(made("M.2009.UHD.BluRay.x265") == "Bluray-2160p, x265");
  CHECK(made("M.2009.DVDRip.XviD-GRP") == "DVD, xvid, GRP");
  CHECK(made("M (2009) [1920x1080]") == "1080p");
  CHECK(made("M.2009.HDTV.1080p.REPACK") == "HDTV-1080p Repack");
  CHECK(made("M.2009.PROPER.1080p.WEBRip") == "WEBRip-1080p Proper");
  CHECK(made("M.1982.The.Final.Cut.1080p") == "1080p, Final Cut");
  CHECK(made("M.2001.Director's.Cut.Remastered.1080p") == "1080p, Directors Cut Remastered");
  CHECK(made("M.2009.EXTENDED.720p") == "720p, Extended");
  CHECK(made("M.2009") == "");
}

TEST_CASE("S1-21: words that titles have, too, count only behind the title") {
  CHECK(titled("The.Web.Story.2013") == "The Web Story (2013)");
  CHECK(made("The.Web.Story.2013") == "");
  CHECK(titled("Proper.Extended.Cam.2013.1080p") == "Proper Extended Cam (2013)");
  CHECK(made("Proper.Extended.Cam.2013.1080p") == "1080p");
  CHECK(titled("Movie.PROPER.1080p") == "Movie");
  CHECK(made("Movie.PROPER.1080p") == "1080p Proper");
  CHECK(titled("Proper.1080p") == "Proper");
}

TEST_CASE("S1-21: a group stands behind one dash at the end, and is no part of another mark") {
  CHECK(parse_release("M.2009.1080p.WEB-DL").group == "");
  CHECK(parse_release("M.2009.Blu-ray").group == "");
  CHECK(parse_release("M.2009 - GRP").group == "");
  CHECK(parse_release("Spider-Man").group == "");
  CHECK(parse_release("Show.S01E01-E02").group == "");
  CHECK(parse_release("Show.S01E01-GRP").group == "GRP");
  CHECK(parse_release("M.2009-GRP").group == "GRP");
  CHECK(parse_release("M.2009-" + times(40, "g")).group == times(40, "g"));
  CHECK(parse_release("M.2009-" + times(41, "g")).group == "");
}

TEST_CASE("S1-21: the title of an episode stands between its number and the quality") {
  const auto title = [](std::string_view name) { return parse_release(name).episode_title; };
  CHECK(title("Show.S01E02.The.Name.1080p.WEB-GRP") == "The Name");
  CHECK(title("Show - S01E02 - The Name [Bluray-1080p]") == "The Name");
  CHECK(title("Show.S01E02.Pilot.GERMAN.DL.1080p") == "Pilot");
  CHECK(title("Show.S01E02.The.English.Teacher.1080p") == "The English Teacher");
  CHECK(title("Show.S01E02.PROPER.1080p") == "");
  CHECK(title("Show.S01E02.1080p") == "");
  CHECK(title("Show.S01E02-GRP") == "");
  CHECK(title("[Group] Show - 05 [ABCD1234]") == "");
  CHECK(title("Show.S01.1080p") == "");
}

TEST_CASE("S1-21: Unicode names keep their letters; wide brackets and dashes count as such") {
  CHECK(titled("Am\u00e9lie.2001.1080p") == "Am\u00e9lie (2001)");
  CHECK(titled("\u5343\u3068\u5343\u5c0b\u306e\u795e\u96a0\u3057 (2001)") ==
        "\u5343\u3068\u5343\u5c0b\u306e\u795e\u96a0\u3057 (2001)");
  CHECK(titled("\u3010Group\u3011Show \u2013 05\u3010"
               "1080p\u3011") == "Show");
  CHECK(parse_release("\u3010Group\u3011Show \u2013 05\u3010"
                      "1080p\u3011")
            .numbers.episodes == std::vector{5});
  CHECK(titled("Movie\u00a0Name\u3000(2009)") == "Movie Name (2009)");
  CHECK(made("M.2001.Director\u2019s.Cut.1080p") == "1080p, Directors Cut");
  CHECK(titled("a\xff\xfe"
               "b.2009") == "a b (2009)");
  CHECK(titled("pho\u202eto.2009") == "photo (2009)");
}

TEST_CASE("S1-21: only the first 1000 bytes of a name are read, without cutting a character") {
  CHECK(parse_release(times(995, "a") + ".2009").year == 2009);
  CHECK(!parse_release(times(996, "a") + ".2009").year);
  CHECK(parse_release(times(999, "a") + "\u00e9").title == times(999, "a"));
  CHECK(parse_release(times(998, "a") + "\u00e9").title == times(998, "a") + "\u00e9");
}

TEST_CASE("S1-21: names without words say nothing") {
  for (const char* name : {"", " ", "...", "-", "[]", "()", "[", "]", "/", "a/"})
    CHECK_MESSAGE(parse_release(name) == ReleaseName{}, name);
}

TEST_CASE("S1-21: any bytes give a title that is valid UTF-8") {
  CHECK(rc::check([](const std::string& name) {
    const ReleaseName release = parse_release(name);
    RC_ASSERT(is_utf8(release.title));
    RC_ASSERT(is_utf8(release.group));
    RC_ASSERT(is_utf8(release.episode_title));
  }));
  CHECK(rc::check([](const std::vector<std::uint8_t>& picks) {
    constexpr std::string_view kParts[] = {"S01", "E02", "-",    ".",      " ",     "[",
                                           "]",   "(",   "2009", "x",      "1080p", "WEB",
                                           "a",   "05",  " - ",  "\u3010", "'"};
    std::string name;
    for (const std::uint8_t pick : picks) name += kParts[pick % std::size(kParts)];
    RC_ASSERT(is_utf8(parse_release(name).title));
  }));
}

TEST_CASE("S1-21: a hostile name takes no more steps than its length allows") {
  for (const std::string part :
       {"S01E01-", "e01", "[", "2009.", "-", "web-", "1-", " - 05", "x264-"})
    CHECK(parse_release(times(200'000, part)).title.size() <= kReleaseNameMax);
}

}  // namespace haul::library

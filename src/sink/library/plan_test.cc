#include "sink/library/plan.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace haul::library {
namespace {

using Files = std::vector<ImportFile>;
using Said = std::vector<ByHand>;

// A line "source > target" per file, or the code of the refusal.
std::string planned(const ImportRequest& request, const Files& files, const Said& by_hand = {}) {
  const auto plan = plan_import(request, files, default_templates(), by_hand);
  if (!plan) return plan.error().code;
  std::string text;
  for (const PlannedFile& file : plan->files)
    text += (text.empty() ? "" : "\n") + file.source + " > " + file.target;
  return text;
}

ImportRefusal refusal(const ImportRequest& request, const Files& files, const Said& by_hand = {}) {
  const auto plan = plan_import(request, files, default_templates(), by_hand);
  return plan ? ImportRefusal{} : plan.error();
}

ImportRequest film() {
  return {.kind = LibraryKind::movie,
          .title = "Alien",
          .year = 1979,
          .release_name = "Alien.1979.1080p.BluRay.x264-GRP"};
}

ImportRequest show() {
  return {.kind = LibraryKind::series, .title = "Show", .release_name = "Show.S01.1080p"};
}

}  // namespace

TEST_CASE("S1-21: a film and its subtitles go into a folder of their own") {
  CHECK(planned(film(), {{"A/alien.mkv", 900}, {"A/alien.en.srt", 1}, {"A/a.nfo", 1}}) ==
        "A/alien.mkv > Alien (1979)/Alien (1979) [Bluray-1080p].mkv\n"
        "A/alien.en.srt > Alien (1979)/Alien (1979) [Bluray-1080p].en.srt");
}

TEST_CASE("S1-21: the plan says the kind, the sizes and what was skipped") {
  const auto plan =
      plan_import(film(), Files{{"A/a.MKV", 900}, {"A/a.nfo", 1}}, default_templates());

  REQUIRE(plan);
  CHECK(plan->kind == LibraryKind::movie);
  CHECK(plan->files ==
        std::vector<PlannedFile>{{"A/a.MKV", "Alien (1979)/Alien (1979) [Bluray-1080p].mkv", 900}});
  CHECK(plan->skipped == std::vector<SkippedFile>{{"A/a.nfo", "not_video"}});
}

TEST_CASE("S1-21: a season pack imports every episode under its own number") {
  CHECK(planned(show(), {{"S/Show.S01E02.mkv", 9}, {"S/Show.S01E01.mkv", 9}}) ==
        "S/Show.S01E01.mkv > Show/Season 01/Show - S01E01.mkv\n"
        "S/Show.S01E02.mkv > Show/Season 01/Show - S01E02.mkv");
  CHECK(planned(show(), {{"S/Show.S01E01E02.mkv", 9}, {"S/Show.S01E03.mkv", 9}}) ==
        "S/Show.S01E01E02.mkv > Show/Season 01/Show - S01E01-E02.mkv\n"
        "S/Show.S01E03.mkv > Show/Season 01/Show - S01E03.mkv");
}

TEST_CASE("S1-21: the season comes from the file, then its folders, then the release") {
  CHECK(planned(show(), {{"S/Season 2/01 - Pilot.mkv", 9}, {"S/Season 3/S04E02.mkv", 9}}) ==
        "S/Season 2/01 - Pilot.mkv > Show/Season 02/Show - S02E01.mkv\n"
        "S/Season 3/S04E02.mkv > Show/Season 04/Show - S04E02.mkv");
  CHECK(planned(show(), {{"S/01.mkv", 9}, {"S/Specials/02.mkv", 9}}) ==
        "S/01.mkv > Show/Season 01/Show - S01E01.mkv\n"
        "S/Specials/02.mkv > Show/Season 00/Show - S00E02.mkv");
}

TEST_CASE("S1-21: a single file without a number takes it from its folder or the release") {
  CHECK(planned(show(), {{"Show.S01E05.1080p/x7f3.mkv", 9}}) ==
        "Show.S01E05.1080p/x7f3.mkv > Show/Season 01/Show - S01E05.mkv");
  ImportRequest request = show();
  request.release_name = "Show.S03E04.720p";
  CHECK(planned(request, {{"x7f3.mkv", 9}}) == "x7f3.mkv > Show/Season 03/Show - S03E04.mkv");
  CHECK(planned(request, {{"a.mkv", 9}, {"b.mkv", 9}}) == "cannot_parse");
}

TEST_CASE("S1-21: the request's numbers win for a single file") {
  ImportRequest request = show();
  request.season = 2;
  request.episode = 7;
  CHECK(planned(request, {{"Show.S01E05.mkv", 9}}) ==
        "Show.S01E05.mkv > Show/Season 02/Show - S02E07.mkv");
  CHECK(planned(request, {{"Show.S01E07E08.mkv", 9}}) ==
        "Show.S01E07E08.mkv > Show/Season 02/Show - S02E07-E08.mkv");
  CHECK(planned(request, {{"Show.2024.01.15.mkv", 9}}) ==
        "Show.2024.01.15.mkv > Show/Season 02/Show - S02E07.mkv");
  CHECK(planned(request, {{"x.mkv", 9}}) == "x.mkv > Show/Season 02/Show - S02E07.mkv");
}

TEST_CASE("S1-21: the request's season wins if all files name one other season") {
  ImportRequest request = show();
  request.season = 2;
  CHECK(planned(request, {{"S/S01E01.mkv", 9}, {"S/S01E02.mkv", 9}}) ==
        "S/S01E01.mkv > Show/Season 02/Show - S02E01.mkv\n"
        "S/S01E02.mkv > Show/Season 02/Show - S02E02.mkv");
  CHECK(planned(request, {{"S/S01E01.mkv", 9}, {"S/S03E01.mkv", 9}}) ==
        "S/S01E01.mkv > Show/Season 01/Show - S01E01.mkv\n"
        "S/S03E01.mkv > Show/Season 03/Show - S03E01.mkv");
}

TEST_CASE("S1-21: a pack for a request of one episode imports all of it, if it has the episode") {
  ImportRequest request = show();
  request.season = 1;
  request.episode = 2;
  const Files pack = {{"S/S01E01.mkv", 9}, {"S/S01E02.mkv", 9}};
  CHECK(planned(request, pack) ==
        "S/S01E01.mkv > Show/Season 01/Show - S01E01.mkv\n"
        "S/S01E02.mkv > Show/Season 01/Show - S01E02.mkv");

  request.episode = 3;
  const ImportRefusal refused = refusal(request, pack);
  CHECK(refused.code == "ambiguous");
  CHECK(refused.detail == "the request asks for episode 3, and none of the 2 videos is it");
  CHECK(refused.fix == "haul import JOB --as S01 takes the numbers of the files");
  CHECK(planned(request, pack, {{.as = "S01"}}) ==
        "S/S01E01.mkv > Show/Season 01/Show - S01E01.mkv\n"
        "S/S01E02.mkv > Show/Season 01/Show - S01E02.mkv");
}

TEST_CASE("S1-21: an episode with a date goes into the season of its year") {
  CHECK(planned(show(), {{"Show.2024.01.15.Guest.1080p.mkv", 9}}) ==
        "Show.2024.01.15.Guest.1080p.mkv > Show/Season 2024/Show - 2024-01-15.mkv");
}

TEST_CASE("S1-21: a bare number of anime needs a season from somewhere") {
  ImportRequest request = show();
  request.release_name = "[Group] Show";
  const Files files = {{"[Group] Show - 05 [1080p].mkv", 9}};
  const ImportRefusal refused = refusal(request, files);
  CHECK(refused.code == "ambiguous");
  CHECK(refused.detail == "\"[Group] Show - 05 [1080p].mkv\": episode 5 of an unknown season");
  CHECK(refused.fix == "haul import JOB --as S01E02");

  request.season = 1;
  CHECK(planned(request, files) ==
        "[Group] Show - 05 [1080p].mkv > Show/Season 01/Show - S01E05.mkv");
}

TEST_CASE(
    "S1-21: a file that says no episode waits, and is named in the fix if it is one of many") {
  ImportRequest request = show();
  request.release_name = "Show";
  const ImportRefusal one = refusal(request, {{"S/x.mkv", 9}});
  CHECK(one.code == "cannot_parse");
  CHECK(one.detail == "\"x.mkv\": the name does not say which episode this is");
  CHECK(one.fix == "haul import JOB --as S01E02");

  const ImportRefusal many = refusal(request, {{"S/S01E01.mkv", 9}, {"S/x.mkv", 9}});
  CHECK(many.code == "cannot_parse");
  CHECK(many.fix == "haul import JOB --file 'S/x.mkv=S01E02'");
}

TEST_CASE("S1-21: what a person says wins over the request and the names") {
  ImportRequest request = show();
  request.season = 2;
  request.episode = 7;
  CHECK(planned(request, {{"S01E05.mkv", 9}}, {{.as = "S01E02"}}) ==
        "S01E05.mkv > Show/Season 01/Show - S01E02.mkv");
  CHECK(planned(request, {{"x.mkv", 9}}, {{.as = "2024-01-15"}}) ==
        "x.mkv > Show/Season 2024/Show - 2024-01-15.mkv");
  CHECK(planned(request, {{"x.mkv", 9}}, {{.as = "E09"}}) ==
        "x.mkv > Show/Season 02/Show - S02E09.mkv");
  CHECK(planned(show(), {{"S/a.mkv", 9}, {"S/S01E02.mkv", 9}}, {{"a.mkv", "S01E01"}}) ==
        "S/S01E02.mkv > Show/Season 01/Show - S01E02.mkv\n"
        "S/a.mkv > Show/Season 01/Show - S01E01.mkv");
  CHECK(planned(show(), {{"S/a.mkv", 9}, {"S/S01E02.mkv", 9}}, {{"S/a.mkv", "skip"}}) ==
        "S/S01E02.mkv > Show/Season 01/Show - S01E02.mkv");
  CHECK(planned(film(), {{"a.mkv", 9}}, {{.as = "S01E01"}}) ==
        "a.mkv > Alien/Season 01/Alien - S01E01.mkv");
  CHECK(planned(show(), {{"a.mkv", 9}}, {{.as = "movie"}}) == "a.mkv > Show/Show [1080p].mkv");
}

TEST_CASE("S1-21: the last word by hand about a file counts, and a file left out is named") {
  const Files files = {{"S/a.mkv", 9}, {"S/S01E02.mkv", 9}};
  const auto plan = plan_import(show(), files, default_templates(),
                                Said{{"a.mkv", "S01E01"}, {"S/a.mkv", "skip"}});

  REQUIRE(plan);
  CHECK(plan->skipped == std::vector<SkippedFile>{{"S/a.mkv", "left_out"}});
}

TEST_CASE("S1-21: the video that a person says is the film is imported, and no other") {
  const Files films = {{"C/one.1980.mkv", 9}, {"C/two.1990.mkv", 9}, {"C/one.1980.en.srt", 1}};
  const ImportRefusal refused = refusal(film(), films);
  CHECK(refused.code == "ambiguous");
  CHECK(refused.fix.ends_with("haul import JOB --file 'C/one.1980.mkv=movie'"));

  CHECK(planned(film(), films, {{"C/one.1980.mkv", "movie"}}) ==
        "C/one.1980.mkv > Alien (1979)/Alien (1979) [Bluray-1080p].mkv\n"
        "C/one.1980.en.srt > Alien (1979)/Alien (1979) [Bluray-1080p].en.srt");
  CHECK(planned(show(), films, {{"two.1990.mkv", "movie"}})
            .starts_with("C/two.1990.mkv > Show (1990)/"));
  const auto plan =
      plan_import(film(), films, default_templates(), Said{{"C/two.1990.mkv", "movie"}});
  REQUIRE(plan);
  CHECK(plan->skipped.front() == SkippedFile{"C/one.1980.mkv", "left_out"});
}

TEST_CASE("S1-21: a video that a person names is imported, even if it looks like an extra") {
  const Files files = {{"S/S01E01.mkv", 900}, {"S/Extras/b.mkv", 9}, {"S/Sample/s.mkv", 9}};
  CHECK(planned(show(), files) == "S/S01E01.mkv > Show/Season 01/Show - S01E01.mkv");
  CHECK(planned(show(), files, {{"b.mkv", "S00E01"}, {"s.mkv", "S00E02"}}) ==
        "S/Extras/b.mkv > Show/Season 00/Show - S00E01.mkv\n"
        "S/S01E01.mkv > Show/Season 01/Show - S01E01.mkv\n"
        "S/Sample/s.mkv > Show/Season 00/Show - S00E02.mkv");
  CHECK(planned(show(), {{"S/S01E01.mkv", 0}}, {{"S01E01.mkv", "S01E01"}}) == "no_video");
}

TEST_CASE("Z-30: a request says its kind by a field, a number or its release, or not at all") {
  ImportRequest request{.title = "T", .release_name = "T.1080p"};
  CHECK(!kind_said(request));
  request.release_name = "T.S01E02.1080p";
  CHECK(kind_said(request) == LibraryKind::series);
  request = {.title = "T", .episode = 1, .release_name = "T"};
  CHECK(kind_said(request) == LibraryKind::series);
  request.kind = LibraryKind::movie;
  CHECK(kind_said(request) == LibraryKind::movie);
}

TEST_CASE("S1-17, S1-21: a file in another folder than a person said is known by its name") {
  const Files files = {{"T/a/x.mkv", 9}, {"T/b/y.mkv", 9}};
  CHECK(planned(show(), files, {{"S/a/x.mkv", "S01E03"}, {"y.mkv", "S01E04"}}) ==
        planned(show(), files, {{"T/a/x.mkv", "S01E03"}, {"T/b/y.mkv", "S01E04"}}));
  CHECK(refusal(show(), {{"T/a/x.mkv", 9}, {"T/b/x.mkv", 9}}, {{"S/a/x.mkv", "S01E03"}}).code ==
        "cannot_parse");
}

TEST_CASE("S1-21: what cannot be meant by hand is refused") {
  const Files files = {{"S/a/x.mkv", 9}, {"S/b/x.mkv", 9}};
  CHECK(refusal(show(), files, {{.as = "S01E02"}}).detail == "one episode was given for 2 videos");
  CHECK(refusal(show(), files, {{.as = "banana"}}).detail ==
        "\"banana\" is not an episode such as S01E02");
  CHECK(refusal(show(), files, {{.as = "skip"}}).code == "cannot_parse");
  CHECK(refusal(show(), {{"x.nfo", 9}, {"S01E01.mkv", 9}}, {{"x.nfo", "S01E02"}}).detail ==
        "\"x.nfo\" is not a video");
  CHECK(refusal(show(), files, {{"S/a/x.mkv", "movie"}, {"S/b/x.mkv", "movie"}}).detail ==
        "two files are said to be the film");
  CHECK(refusal(show(), files, {{"S/a/x.mkv", "movie"}, {"S/b/x.mkv", "S01E01"}}).detail ==
        "a film and an episode are said at once");
  CHECK(refusal(show(), files, {{.as = "S01"}, {"S/b/x.mkv", "movie"}}).code == "cannot_parse");
  CHECK(refusal(show(), files, {{.as = "movie"}, {"S/b/x.mkv", "S01E01"}}).code == "cannot_parse");
  CHECK(refusal(show(), files, {{"y.mkv", "S01E01"}}).detail ==
        "the download has no file \"y.mkv\", or several");
  CHECK(refusal(show(), files, {{"x.mkv", "S01E01"}}).code == "cannot_parse");
  CHECK(refusal(show(), files, Said(1'001, {.as = "S01"})).detail ==
        "more than 1000 files by hand");
}

TEST_CASE("S1-21: two files for one name are refused, also if case or extension differ") {
  const ImportRefusal refused =
      refusal(show(), {{"S/Show.S01E01.720p.mkv", 9}, {"S/Show.S01E01.1080p.mp4", 9}});
  CHECK(refused.code == "two_for_one_target");
  CHECK(refused.detail ==
        "\"Show.S01E01.1080p.mp4\" and \"Show.S01E01.720p.mkv\" would have the same name: "
        "Show/Season 01/Show - S01E01");
  CHECK(refused.fix == "haul import JOB --file 'S/Show.S01E01.720p.mkv=skip'");
}

TEST_CASE("S1-21: a request without a kind is a series if anything has an episode") {
  ImportRequest request{.title = "T", .release_name = "T.1080p"};
  CHECK(planned(request, {{"t.mkv", 9}}) == "t.mkv > T/T [1080p].mkv");
  CHECK(planned(request, {{"T - 05.mkv", 9}}) == "T - 05.mkv > T/T [1080p].mkv");
  CHECK(planned(request, {{"t.S01E01.mkv", 9}}) == "t.S01E01.mkv > T/Season 01/T - S01E01.mkv");
  request.release_name = "T.S01.1080p";
  CHECK(planned(request, {{"01.mkv", 9}}) == "01.mkv > T/Season 01/T - S01E01.mkv");
  request.release_name = "T";
  request.season = 1;
  CHECK(planned(request, {{"01.mkv", 9}}) == "01.mkv > T/Season 01/T - S01E01.mkv");
  request.kind = LibraryKind::movie;
  CHECK(planned(request, {{"S01E01.mkv", 9}}) == "S01E01.mkv > T/T.mkv");
}

TEST_CASE("S1-21: the request's quality and year win; else the file's, then the release's count") {
  ImportRequest request = film();
  request.quality = "4K";
  CHECK(planned(request, {{"a.720p.HDTV.mkv", 9}}) ==
        "a.720p.HDTV.mkv > Alien (1979)/Alien (1979) [4K].mkv");
  request = {.kind = LibraryKind::movie, .title = "Alien", .release_name = film().release_name};
  CHECK(planned(request, {{"a.1980.720p.HDTV.PROPER.mkv", 9}}) ==
        "a.1980.720p.HDTV.PROPER.mkv > Alien (1979)/Alien (1979) [HDTV-720p Proper].mkv");
  request.release_name = "x";
  CHECK(planned(request, {{"a.1980.mkv", 9}}) == "a.1980.mkv > Alien (1980)/Alien (1980).mkv");
}

TEST_CASE("S1-21: a title cannot lead out of the library") {
  ImportRequest request = film();
  request.title = "../../etc";
  request.quality = "/../x";
  const auto plan = plan_import(request, Files{{"a.mkv", 9}}, default_templates());

  REQUIRE(plan);
  CHECK(plan->files[0].target == "_.+..+etc (1979)/_.+..+etc (1979) [+..+x].mkv");
}

TEST_CASE("S1-21: refusals of the selection are passed on") {
  CHECK(planned(film(), {{"a.nfo", 9}}) == "no_video");
  CHECK(planned(film(), {{"m.cd1.avi", 9}, {"m.cd2.avi", 9}}) == "ambiguous");
}

}  // namespace haul::library

#include "sink/library/select.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace haul::library {
namespace {

constexpr std::int64_t kMiB = 1'048'576;

// "Show.mkv Show.en.srt; skipped: sample.mkv sample", or the code of a refusal.
std::string chosen(const std::vector<ImportFile>& files, LibraryKind kind = LibraryKind::movie,
                   std::optional<int> year = {}) {
  const auto selection = select_files(files, {kind, year});
  if (!selection) return selection.error().code;
  std::string text;
  for (const ChosenVideo& video : selection->videos) {
    text += (text.empty() ? "" : " ") + video.file.path;
    for (const ChosenSubtitle& each : video.subtitles) text += " " + each.file.path + each.tag;
  }
  std::vector<std::string> skipped;
  for (const SkippedFile& each : selection->skipped)
    skipped.push_back(each.path + " " + std::string{each.reason});
  std::ranges::sort(skipped);
  if (!skipped.empty()) text += "; skipped:";
  for (const std::string& each : skipped) text += " " + each;
  return text;
}

std::string episodes(const std::vector<ImportFile>& files) {
  return chosen(files, LibraryKind::series);
}

std::string why(const std::vector<ImportFile>& files) {
  const auto selection = select_files(files, {});
  return selection ? "" : selection.error().detail + " > " + selection.error().fix;
}

}  // namespace

TEST_CASE("S1-21: a movie is the largest video, and all else is skipped with a reason") {
  CHECK(chosen({{"M/a.mkv", 700}, {"M/b.mkv", 900}, {"M/a.nfo", 1}, {"M/c.mkv", 0}}) ==
        "M/b.mkv; skipped: M/a.mkv smaller M/a.nfo not_video M/c.mkv empty");
  CHECK(chosen({{"m.mkv", 1}}) == "m.mkv");
  CHECK(chosen({{"b.mkv", 5}, {"a.mkv", 5}}) == "a.mkv; skipped: b.mkv smaller");
}

TEST_CASE("S1-21: a season pack gives every episode in the order of their paths") {
  CHECK(episodes({{"S/Show.S01E02.mkv", 10}, {"S/Show.S01E01.mkv", 90}, {"S/Show.nfo", 1}}) ==
        "S/Show.S01E01.mkv S/Show.S01E02.mkv; skipped: S/Show.nfo not_video");
}

TEST_CASE("S1-21: a sample is skipped if it is smaller than a quarter of the largest video") {
  CHECK(episodes({{"S/a.mkv", 400 * kMiB}, {"S/sample-a.mkv", 100 * kMiB - 1}}) ==
        "S/a.mkv; skipped: S/sample-a.mkv sample");
  CHECK(episodes({{"S/a.mkv", 400 * kMiB}, {"S/sample-a.mkv", 100 * kMiB}}) ==
        "S/a.mkv S/sample-a.mkv");
  CHECK(episodes({{"S/a.mkv", 400}, {"S/Sample/a.mkv", 20}}) ==
        "S/a.mkv; skipped: S/Sample/a.mkv sample");
  CHECK(episodes({{"S/a.mkv", 400}, {"S/b.sample.mkv", 20}, {"S/resampled.mkv", 20}}) ==
        "S/a.mkv S/resampled.mkv; skipped: S/b.sample.mkv sample");
}

TEST_CASE(
    "S1-21: a film that is called Sample is imported, but not a sample of a packed film or a "
    "disc") {
  CHECK(chosen({{"Sample.2000.mkv", 50}, {"a.nfo", 1}}) ==
        "Sample.2000.mkv; skipped: a.nfo not_video");
  CHECK(chosen({{"M/Sample/m.mkv", 50}, {"M/m.rar", 400}}) == "no_video");
  CHECK(chosen({{"M/Sample/m.mkv", 50}, {"M/m.r00", 400}}) == "no_video");
  CHECK(chosen({{"M/BDMV/STREAM/0.m2ts", 40'000}, {"M/Sample/s.mkv", 50}}) == "no_video");
}

TEST_CASE("S1-21: extras are skipped by their folder, and small ones by their name") {
  for (const char* folder : {"Extras", "trailers", "Featurettes", "Behind The Scenes",
                             "Deleted_Scenes", "Interviews", "Bonus"})
    CHECK(chosen({{"M/m.mkv", 10}, {std::string{"M/"} + folder + "/x.mkv", 90}}) ==
          std::string{"M/m.mkv; skipped: M/"} + folder + "/x.mkv extra");
  CHECK(episodes({{"S/a.mkv", 40}, {"S/a-trailer.mkv", 9}, {"S/b-trailer.mkv", 10}}) ==
        "S/a.mkv S/b-trailer.mkv; skipped: S/a-trailer.mkv extra");
  CHECK(episodes({{"S/Show - 01.mkv", 40}, {"S/Show - NCOP1v2.mkv", 40}, {"S/NCEDs.mkv", 40}}) ==
        "S/NCEDs.mkv S/Show - 01.mkv; skipped: S/Show - NCOP1v2.mkv extra");
}

TEST_CASE("S1-21: the folder that all files share says nothing about them") {
  CHECK(episodes({{"Extras/Extras.S01E01.mkv", 9}, {"Extras/Extras.S01E02.mkv", 9}}) ==
        "Extras/Extras.S01E01.mkv Extras/Extras.S01E02.mkv");
  CHECK(chosen({{".incoming/Sample/m.mkv", 9}}) == ".incoming/Sample/m.mkv");
  CHECK(chosen({{"Extras/a.mkv", 9}, {"m.mkv", 9}}) == "m.mkv; skipped: Extras/a.mkv extra");
  CHECK(chosen({{"Extras 1/a.mkv", 9}, {"Extras 2/a.mkv", 8}}) ==
        "Extras 1/a.mkv; skipped: Extras 2/a.mkv smaller");
}

TEST_CASE("S1-21: hidden and unfinished files and discs are skipped") {
  CHECK(chosen({{"M/m.mkv", 9},
                {"M/._m.mkv", 9},
                {"M/.x/m.mkv", 9},
                {"M/@eaDir/m.mkv", 9},
                {"M/n.mkv.!qB", 99},
                {"M/o.mkv.part", 99},
                {"M/BDMV/STREAM/0.m2ts", 99}}) ==
        "M/m.mkv; skipped: M/._m.mkv hidden M/.x/m.mkv hidden M/@eaDir/m.mkv hidden "
        "M/BDMV/STREAM/0.m2ts disc M/n.mkv.!qB partial M/o.mkv.part partial");
}

TEST_CASE("S1-21: without a video the reasons are counted, and the fix fits them") {
  CHECK(why({}) == "the download has no files > Choose another release, and cancel this job.");
  CHECK(why({{"M/a.nfo", 1}, {"M/b.txt", 1}, {"M/m.mkv.!qB", 1}}) ==
        "none of the 3 files is a video to import (2 not_video: .nfo .txt; 1 partial: .!qb) > "
        "Choose another release, and cancel this job.");
  CHECK(why({{"M/m.rar", 90}, {"M/sample.mkv", 1}, {"M/m.srt", 1}, {"M/README", 1}})
            .starts_with("none of the 4 files is a video to import (2 not_video: .rar; "
                         "1 sample: .mkv; 1 subtitle: .srt) > haul unpacks no archives."));
  CHECK(why({{"M/m.rar", 1}})
            .ends_with("> haul unpacks no archives. Choose a release that is not packed."));
  CHECK(why({{"M/a.nfo", 1}, {"M/VIDEO_TS/a.vob", 1}})
            .ends_with("> haul imports no disc folders. Choose a release in one file."));
  CHECK(chosen({{"M/m.srt", 1}}) == "no_video");
}

TEST_CASE("S1-21: without a video, at most five extensions of a reason are named") {
  std::vector<ImportFile> files;
  for (const char* name : {"1.a", "2.b", "3.c", "4.d", "5.e", "6.f", "7.a"})
    files.push_back({name, 1});
  CHECK(why(files).starts_with(
      "none of the 7 files is a video to import (7 not_video: .a .b .c .d .e) > "));
}

TEST_CASE("S1-21: files that a person left out are not called missing") {
  const auto none = select_files({}, {.left_out = 2});
  REQUIRE_FALSE(none);
  CHECK(none.error().code == "no_video");
  CHECK(none.error().detail == "none of the 2 files is a video to import (2 left_out)");
  CHECK(none.error().fix == "Leave out fewer files by hand.");
}

TEST_CASE("S1-21: a film in parts is refused, however the parts are called") {
  for (const char* part : {"cd", "CD ", "disc", "disk.", "part", "Part_", "pt", "dvd-"}) {
    const std::string name = std::string{"M/movie "} + part;
    CHECK_MESSAGE(chosen({{name + "1.avi", 700}, {name + "2.avi", 690}}) == "ambiguous", part);
  }
  CHECK(chosen({{"M/CD1/m.avi", 700}, {"M/CD2/m.avi", 690}}) == "ambiguous");
  CHECK(why({{"M/m.cd1.avi", 700}, {"M/m.cd2.avi", 690}})
            .starts_with(R"(the film is in several parts: "m.cd1.avi" and "m.cd2.avi" > Choose)"));
}

TEST_CASE("S1-21: one part, a small second part, and a part of a word are no film in parts") {
  CHECK(chosen({{"M/Mockingjay Part 1.mkv", 700}, {"M/other.mkv", 600}}) ==
        "M/Mockingjay Part 1.mkv; skipped: M/other.mkv smaller");
  CHECK(chosen({{"M/m.cd1.avi", 700}, {"M/m.cd2.avi", 100}}) ==
        "M/m.cd1.avi; skipped: M/m.cd2.avi smaller");
  CHECK(chosen({{"M/rampart1.avi", 700}, {"M/rampart2.avi", 600}}) ==
        "M/rampart1.avi; skipped: M/rampart2.avi smaller");
  CHECK(chosen({{"M/part 100.avi", 700}, {"M/part 200.avi", 600}}) ==
        "M/part 100.avi; skipped: M/part 200.avi smaller");
}

TEST_CASE("S1-21: in a collection the year chooses the film, and without one haul asks") {
  const std::vector<ImportFile> films = {
      {"C/Alien.1979.mkv", 700}, {"C/Aliens.1986.mkv", 900}, {"C/Alien.3.1992.mkv", 800}};

  CHECK(chosen(films, LibraryKind::movie, 1979).starts_with("C/Alien.1979.mkv;"));
  CHECK(chosen(films, LibraryKind::movie) == "ambiguous");
  CHECK(chosen(films, LibraryKind::movie, 2003) == "ambiguous");
  CHECK(chosen({{"C/Alien.1979.mkv", 900}, {"C/Short.2001.mkv", 449}}) ==
        "C/Alien.1979.mkv; skipped: C/Short.2001.mkv smaller");
  CHECK(chosen({{"C/Alien.1979.mkv", 900}, {"C/Short.2001.mkv", 450}}) == "ambiguous");
  CHECK(chosen({{"C/Alien.1979.mkv", 900}, {"C/Alien.Cut.1979.mkv", 800}}) ==
        "C/Alien.1979.mkv; skipped: C/Alien.Cut.1979.mkv smaller");
}

TEST_CASE("S1-21: a subtitle goes with the video whose name it has, and keeps its tags") {
  CHECK(chosen({{"M/m.mkv", 9}, {"M/m.srt", 1}, {"M/m.en.srt", 1}, {"M/m.pt-BR.forced.ass", 1}}) ==
        "M/m.mkv M/m.srt M/m.en.srt.en M/m.pt-BR.forced.ass.pt-BR.forced");
  CHECK(chosen({{"M/m.mkv", 9}, {"M/Subs/m.en.srt", 1}}) == "M/m.mkv M/Subs/m.en.srt.en");
  CHECK(chosen({{"m.mkv", 9}, {"Subs/m.en.srt", 1}}) == "m.mkv Subs/m.en.srt.en");
  CHECK(episodes({{"S/a.mkv", 9}, {"S/a.b.mkv", 9}, {"S/a.b.en.srt", 1}}) ==
        "S/a.b.mkv S/a.b.en.srt.en S/a.mkv");
}

TEST_CASE(
    "S1-21: a subtitle of another video, or with something else behind its name, is skipped") {
  CHECK(chosen({{"M/m.mkv", 9}, {"M/n.en.srt", 1}, {"M/m2.srt", 1}, {"N/m.srt", 1}}) ==
        "M/m.mkv; skipped: M/m2.srt subtitle_unmatched M/n.en.srt subtitle_unmatched "
        "N/m.srt subtitle_unmatched");
  CHECK(chosen({{"M/m.mkv", 9}, {"M/m.a b.srt", 1}, {"M/m.a.b.c.d.srt", 1}}) ==
        "M/m.mkv; skipped: M/m.a b.srt subtitle_unmatched M/m.a.b.c.d.srt subtitle_unmatched");
  CHECK(chosen({{"M/m.mkv", 9}, {"M/m.en.srt", 1}, {"M/Subs/m.EN.srt", 1}, {"M/m.de.srt", 0}}) ==
        "M/m.mkv M/m.en.srt.en; skipped: M/Subs/m.EN.srt subtitle_twice M/m.de.srt empty");
}

TEST_CASE("S1-21: a video has at most 200 subtitles") {
  std::vector<ImportFile> files = {{"m.mkv", 9}};
  for (int i = 0; i < 201; ++i) files.push_back({"m.t" + std::to_string(i) + ".srt", 1});

  const auto selection = select_files(files, {});

  REQUIRE(selection);
  CHECK(selection->videos[0].subtitles.size() == 200);
  CHECK(selection->skipped == std::vector<SkippedFile>{{"m.t200.srt", "subtitle_too_many"}});
}

}  // namespace haul::library

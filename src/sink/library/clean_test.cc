// Z-4, S1-9 to S1-11, F28, F29: a clean removes the files of the manifest that are unchanged and
// whose bytes the library has, then empty folders, and nothing else.

#include "sink/library/clean.h"

#include <doctest/doctest.h>

#include "support/io/clean_bench.h"
#include "support/io/small_disk.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using library::CleanBy;

}  // namespace

TEST_CASE("Z-4: all sources of a job are removed with the folders left empty, never the root") {
  CleanBench c;
  c.add("Film/film.mkv", "the film");
  c.add_source("Film/Subs/en.srt", "text");
  c.add_source("Film/film.nfo", "about");

  CHECK(c.outcome() == "deleted");

  CHECK(c.outcomes() == "Film/Subs/en.srt=deleted Film/film.mkv=deleted Film/film.nfo=deleted");
  CHECK(c.downloads().empty());
  CHECK(fs::is_directory(c.b.downloads()));
  CHECK(LibraryBench::tree(c.b.movies()) == "Film/film.mkv=the film");
}

TEST_CASE("promise 9: a whole video that was not imported stays; samples and extras go") {
  CleanBench c;
  c.add("Films/first.mkv", std::string(40, 'f'));
  c.add_source("Films/second.mkv", "another film");
  c.add_source("Films/Sample/first.mkv", "123456789");
  c.add_source("Films/Extras/making of.mkv", "how it was made");
  c.add_source("Films/first-sample.mkv", "bit");
  c.add_source("Films/interview with a film.mkv", "1234567890");  // Too large for an extra.

  CHECK(c.outcome() == "kept_unsafe");

  CHECK(c.downloads() ==
        "Films/interview with a film.mkv=1234567890 Films/second.mkv=another film");
  CHECK(c.told.at("Films/second.mkv").detail == "it is a video that was not imported");
}

TEST_CASE("promise 9: a disc, an archive and a large video in any folder stay") {
  const std::string disc = "it is part of a disc that was not imported";
  const std::string archive = "it is an archive that was not imported";
  const std::string video = "it is a video that was not imported";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"M/BDMV/STREAM/0.m2ts", disc},
      {"VIDEO_TS/VTS_01_1.VOB", disc},
      {"M/m.rar", archive},
      {"M/m.r00", archive},
      {"M/m.part2.rar", archive},
      {"M/m.7z.001", archive},
      {"M/Sample/m.zip", archive},
      {"M/Proof/cut.mkv", video},
      {"M/Extras/other.mkv", video},
      {"M/Sample/whole.mkv", video},
      {"M/m.nfo", ""},
      {"M/m.sfv", ""},
  };
  for (const auto& [path, why] : cases) {
    CAPTURE(path);
    CleanBench c;
    c.add("M/m.mkv", std::string(40, 'f'));
    c.add_source(path, std::string(41, 'x'));

    CHECK(c.outcome() == (why.empty() ? "deleted" : "kept_unsafe"));

    CHECK(c.told.at(path).detail == why);
    CHECK(c.told.at("M/m.mkv").outcome == "deleted");
    CHECK(fs::exists(c.b.downloads() / path) == !why.empty());
  }
}

TEST_CASE("promise 9: an extra stays from the size of the film on") {
  for (const std::size_t size : {std::size_t{39}, std::size_t{41}}) {
    CAPTURE(size);
    CleanBench c;
    c.add("M/m.mkv", std::string(40, 'f'));
    c.add_source("M/Proof/cut.mkv", std::string(size, 'x'));

    CHECK(c.outcome() == (size < 40 ? "deleted" : "kept_unsafe"));
  }
}

TEST_CASE("promise 9: a folder that all files of a job share makes no file an extra") {
  struct Row {
    const char* film;
    const char* other;
    bool stays;
  };
  for (const auto& [film, other, stays] :
       {Row{"haul/Extras/S1/m.mkv", "haul/Extras/S1/other.mkv", true},
        Row{"haul/Extras/S1/m.mkv", "haul/Extras/S2/other.mkv", true},
        Row{"haul/Film/m.mkv", "haul/Film/Extras/other.mkv", false},
        Row{"Film/m.mkv", "Film/Extras/other.mkv", false}, Row{"m.mkv", "Extras/o.mkv", true}}) {
    CAPTURE(other);
    CleanBench c;
    c.add(film, std::string(40, 'f'));
    c.add_source(other, std::string(39, 'x'));

    CHECK(c.outcome() == (stays ? "kept_unsafe" : "deleted"));

    CHECK(fs::exists(c.b.downloads() / other) == stays);
  }
}

TEST_CASE("S1-11: nothing is removed beneath a root that the configuration does not have") {
  CleanBench c;
  c.add("Film/film.mkv", "the film");
  c.download_roots = {c.b.downloads().parent_path(), c.b.downloads() / "Film"};

  CHECK(c.outcome() == "kept_unsafe");

  CHECK(c.downloads() == "Film/film.mkv=the film");
  CHECK(c.told.at("Film/film.mkv").root == c.b.downloads().string());
  CHECK(c.told.at("Film/film.mkv").detail ==
        "it lies beneath no download_root of the configuration");
}

TEST_CASE("Z-4: the flow is asked about each source right before it is removed") {
  CleanBench c;
  c.add("Film/film.mkv", "the film");
  c.add("Film/two.mkv", "part two");
  int asked = 0;
  c.why_kept = [&](const SourceFile& source) -> Result<std::string> {
    if (source.path != "Film/two.mkv") return "";
    return ++asked == 2 ? "another job has it" : "";  // It has listed it since the first time.
  };

  CHECK(c.outcome() == "kept_unsafe");

  CHECK(c.downloads() == "Film/two.mkv=part two");
  CHECK(c.told.at("Film/two.mkv").detail == "another job has it");
}

TEST_CASE("Z-4: a source stays for now if the store cannot say whether it may go") {
  CleanBench c;
  c.add("Film/film.mkv", "the film");
  c.why_kept = [](const SourceFile&) -> Result<std::string> {
    return std::unexpected{Fault{FaultKind::retryable, "store_unavailable", ""}};
  };

  CHECK(c.outcome() == "store_unavailable");

  CHECK(c.downloads() == "Film/film.mkv=the film");
  CHECK(c.told.empty());
}

TEST_CASE("A1-11: a single file in the root is removed alone") {
  CleanBench c;
  c.add("film.mkv", "the film");
  LibraryBench::write(c.b.downloads() / "other.mkv", "of another job");

  CHECK(c.outcome() == "deleted");

  CHECK(c.downloads() == "other.mkv=of another job");
}

TEST_CASE("Z-4: what the manifest does not have stays and is named, with its folder") {
  CleanBench c;
  c.add("Film/film.mkv", "the film");
  LibraryBench::write(c.b.downloads() / "Film/records.txt", "of a user");
  fs::create_directory(c.b.downloads() / "Film/empty");

  CHECK(c.outcome() == "deleted");

  CHECK(c.downloads() == "Film/empty/ Film/records.txt=of a user");
  const std::string& detail = c.told.at("Film/film.mkv").detail;
  CHECK(detail.find("records.txt") != std::string::npos);
  CHECK(detail.find("empty") != std::string::npos);
}

TEST_CASE("Z-4: the clean of a season removes each folder once its last file is gone") {
  CleanBench c;
  for (const char* path : {"Show/S01/e1.mkv", "Show/S01/e2.mkv", "Show/S02/e1.mkv"})
    c.add(path, path);

  CHECK(c.outcome() == "deleted");

  CHECK(c.downloads().empty());
  CHECK(c.told.at("Show/S02/e1.mkv").detail.empty());
}

TEST_CASE("S1-10: nothing is removed while a library file is gone, short, a link or a folder") {
  for (const char* wrong : {"gone", "short", "link", "folder", "none"}) {
    CAPTURE(wrong);
    CleanBench c;
    c.add("Film/film.mkv", "the film");
    c.add("Film/two.mkv", "part two");
    c.add_source("Film/film.nfo", "about");
    const fs::path copy = c.b.movies() / "Film/two.mkv";
    const std::string_view is{wrong};
    if (is == "none") c.placed.clear();
    if (is == "short") fs::resize_file(copy, 3);
    if (is == "gone" || is == "link" || is == "folder") fs::remove(copy);
    if (is == "link") fs::create_symlink(c.b.downloads() / "Film/two.mkv", copy);
    if (is == "folder") fs::create_directory(copy);
    const std::string before = c.downloads();

    CHECK(c.outcome() == "kept_unsafe");

    CHECK(c.downloads() == before);
    CHECK(c.told.size() == 3);
    CHECK_FALSE(c.told.at("Film/film.nfo").detail.empty());
  }
}

TEST_CASE("promise 11: a library file of the same size with other bytes keeps its source") {
  for (const bool has_evidence : {true, false}) {
    CAPTURE(has_evidence);
    CleanBench c;
    c.add("film.mkv", "the film");
    c.add("two.mkv", "and another one");
    LibraryBench::write(c.b.movies() / "film.mkv", "the FILM");
    if (!has_evidence) c.landed.clear();

    CHECK(c.outcome() == "kept_unsafe");

    CHECK(c.outcomes() == "film.mkv=kept_unsafe two.mkv=deleted");
    CHECK(c.downloads() == "film.mkv=the film");
  }
}

TEST_CASE("F29: of a hardlink only the source's name is removed") {
  CleanBench c;
  c.add_link("Film/film.mkv", "the film");

  CHECK(c.outcome() == "deleted");

  CHECK(c.downloads().empty());
  CHECK(LibraryBench::tree(c.b.movies()) == "Film/film.mkv=the film");
  CHECK(fs::hard_link_count(c.b.movies() / "Film/film.mkv") == 1);
}

TEST_CASE("F29: a source that is the library's own file, by any path, stays") {
  CleanBench c;
  c.add_source("Film/film.mkv", "the film");
  fs::create_directory_symlink(c.b.downloads() / "Film", c.b.movies() / "Film");
  c.place("Film/film.mkv", "the film");

  CHECK(c.outcome() == "kept_unsafe");

  CHECK(c.told.at("Film/film.mkv").detail == "it is the library's own file");
  CHECK(c.downloads() == "Film/film.mkv=the film");
}

TEST_CASE("Z-4: a source that changed after it was listed stays, whatever changed") {
  for (const char* change : {"bytes", "size", "time", "file", "link", "folder"}) {
    CAPTURE(change);
    CleanBench c;
    c.add("Film/film.mkv", "the film");
    const fs::path path = c.b.downloads() / "Film/film.mkv";
    const auto time = fs::last_write_time(path);
    const std::string_view is{change};
    if (is == "bytes") LibraryBench::write(path, "THE FILM");
    if (is == "bytes" || is == "time") fs::last_write_time(path, time + std::chrono::seconds{1});
    if (is == "size") fs::resize_file(path, 9);
    if (is == "size") fs::last_write_time(path, time);
    if (is == "file" || is == "link") fs::rename(path, c.b.downloads() / "moved");
    if (is == "file") LibraryBench::write(path, "the film");
    if (is == "file") fs::last_write_time(path, time);
    if (is == "link") fs::create_symlink("../moved", path);
    if (is == "folder") fs::remove(path);
    if (is == "folder") fs::create_directory(path);
    const std::string before = c.downloads();

    CHECK(c.outcome() == "kept_unsafe");

    CHECK(c.downloads() == before);
  }
}

TEST_CASE("S1-11, F28: a path that is no path below the root is never followed") {
  for (const char* path : {"", ".", "..", "/", "/etc/passwd", "../movies/film.mkv", "Film/../x.mkv",
                           "Film/", "Film//film.mkv", "Film/."}) {
    CAPTURE(path);
    CleanBench c;
    c.add("film.mkv", "the film");
    c.sources.at(0).path = path;
    const std::string before = c.downloads();

    CHECK(c.outcome() == "kept_unsafe");

    CHECK(c.downloads() == before);
    CHECK(LibraryBench::tree(c.b.movies()) == "film.mkv=the film");
  }
}

TEST_CASE("S1-11, F28: no link on the way is followed, in the root or out of it") {
  for (const bool is_outside : {true, false}) {
    CAPTURE(is_outside);
    CleanBench c;
    c.add("Film/film.mkv", "the film");
    const fs::path away = is_outside ? c.b.movies() / "away" : c.b.downloads() / "away";
    fs::rename(c.b.downloads() / "Film", away);
    fs::create_directory_symlink(away, c.b.downloads() / "Film");

    CHECK(c.outcome() == "kept_unsafe");

    CHECK(LibraryBench::text_of(away / "film.mkv") == "the film");
    CHECK(fs::is_symlink(c.b.downloads() / "Film"));
  }
}

TEST_CASE("F28: a file on a disk that is mounted below the root stays") {
  CleanBench c;
  const SmallDisk disk{c.b.downloads() / "disk"};
  if (!disk.is_there()) return;
  c.add("disk/film.mkv", "the film");

  CHECK(c.outcome() == "kept_unsafe");

  CHECK(fs::exists(c.b.downloads() / "disk/film.mkv"));
}

TEST_CASE("Z-4: sources that are gone are not missed, and their empty folders go") {
  CleanBench c;
  c.add("Film/film.mkv", "the film");
  c.add("Gone/film2.mkv", "the second film");
  fs::remove(c.b.downloads() / "Film/film.mkv");
  fs::remove_all(c.b.downloads() / "Gone");

  CHECK(c.outcome() == "already_gone");

  CHECK(c.downloads().empty());
  CHECK(c.outcomes() == "Film/film.mkv=already_gone Gone/film2.mkv=already_gone");
  CHECK(c.outcome() == "already_gone");
}

TEST_CASE("a root whose disk is not mounted is waited for, and so is one that is gone") {
  CleanBench c;
  c.add("film.mkv", "the film");
  fs::remove(c.b.downloads() / "film.mkv");
  c.sources.at(0).device += 1;

  const library::CleanEnd end = c.clean();
  REQUIRE(end.fault);
  CHECK(end.fault->code == "root_not_mounted");
  CHECK((end.fault->kind == FaultKind::environment));
  CHECK(c.told.empty());

  c.by = CleanBy::trashing;  // A trash would make the folder look like the disk.
  CHECK(c.outcome() == "root_not_mounted");
  CHECK(fs::is_empty(c.b.downloads()));

  fs::remove_all(c.b.downloads());
  CHECK(c.outcome() == "folder_gone");
}

TEST_CASE("promise 11: a library file that cannot be looked at is waited for") {
  CleanBench c;
  c.add("film.mkv", "the film");
  fs::create_symlink("loop", c.b.movies() / "loop");
  c.placed[0].path = (c.b.movies() / "loop/film.mkv").string();

  const library::CleanEnd end = c.clean();

  REQUIRE(end.fault);
  CHECK((end.fault->kind == FaultKind::environment));
  CHECK(c.told.empty());
  CHECK(fs::exists(c.b.downloads() / "film.mkv"));
}

TEST_CASE("Z-17: of a job without a manifest nothing is removed") {
  CleanBench c;
  c.add("film.mkv", "the film");
  c.sources.clear();
  CHECK(c.outcome() == "kept_unsafe");
  CHECK(c.downloads() == "film.mkv=the film");
}

TEST_CASE("S1-16: a source that cannot be removed now does not keep the others") {
  CleanBench c;
  c.add("a.mkv", "the film");
  c.sources.push_back(c.sources.front());
  c.sources.back().root = "/nowhere/at/all";

  const library::CleanEnd end = c.clean();

  REQUIRE(end.fault);
  CHECK(end.fault->code == "folder_gone");
  CHECK(end.has_removed);
  CHECK(c.outcomes() == "a.mkv=deleted");
}

TEST_CASE("S1-16: no fault of a clean fails its job") {
  CleanBench c;
  c.add("a.mkv", "the film");
  fs::create_symlink("loop", c.b.movies() / "loop");
  c.sources.front().root = (c.b.movies() / "loop").string();

  const library::CleanEnd end = c.clean();

  REQUIRE(end.fault);
  CHECK(end.fault->code == "file_error");
  CHECK((end.fault->kind == FaultKind::environment));
}

TEST_CASE("a clean that is stopped says so, and what it has removed") {
  CleanBench c;
  c.add("film.mkv", "the film");
  std::stop_source stop;
  stop.request_stop();

  const library::CleanEnd end = c.clean({.stop = stop.get_token()});

  REQUIRE(end.fault);
  CHECK(end.fault->code == "stopped");
  CHECK_FALSE(end.has_removed);
  CHECK(c.downloads() == "film.mkv=the film");
}

TEST_CASE("a clean that is stopped between two files of a folder tells of the first") {
  CleanBench c;
  c.add("Film/film.mkv", "the film");
  c.add("Film/two.mkv", "part two");
  std::stop_source stop;
  int asked = 0;
  c.why_kept = [&](const SourceFile&) -> Result<std::string> {
    if (++asked == 2) stop.request_stop();  // Right before the first file is removed.
    return "";
  };

  const library::CleanEnd end = c.clean({.stop = stop.get_token()});

  REQUIRE(end.fault);
  CHECK(end.fault->code == "stopped");
  CHECK(end.has_removed);
  CHECK(c.outcomes() == "Film/film.mkv=deleted");
  CHECK(c.downloads() == "Film/two.mkv=part two");
}

TEST_CASE("Z-4: with a trash the sources are moved there, and a second clean finds them") {
  CleanBench c;
  c.by = CleanBy::trashing;
  c.add("Film/film.mkv", "the film");
  c.add_source("Film/film.nfo", "about");

  CHECK(c.outcome() == "trashed");

  const fs::path trash = c.b.downloads() / ".haul-trash/a1b2c3d4e5f6-1/files/Film";
  CHECK(LibraryBench::tree(trash) == "film.mkv=the film film.nfo=about");
  CHECK_FALSE(fs::exists(c.b.downloads() / "Film"));
  CHECK(c.outcome() == "trashed");
}

TEST_CASE("F28: a source that lies in the trash stays there") {
  for (const auto by : {CleanBy::deleting, CleanBy::trashing}) {
    CleanBench c;
    c.by = by;
    c.add("film.mkv", "the film");
    c.add_source(".haul-trash/x/film.nfo", "about");

    CHECK(c.outcome() == "kept_unsafe");

    CHECK(c.told.at(".haul-trash/x/film.nfo").detail == "it lies in the trash");
    CHECK(fs::exists(c.b.downloads() / ".haul-trash/x/film.nfo"));
    CHECK_FALSE(fs::exists(c.b.downloads() / "film.mkv"));
  }
}

TEST_CASE("a trash that another clean uses is waited for") {
  CleanBench c;
  c.by = CleanBy::trashing;
  c.add("film.mkv", "the film");
  const io::Descriptor root = io::open_root(c.b.downloads()).value();
  const auto bin = library::TrashBin::open(root, {.store = kTestStore, .job = JobId{1}});
  REQUIRE(bin);

  CHECK(c.outcome() == "trash_busy");

  CHECK(fs::exists(c.b.downloads() / "film.mkv"));
}

TEST_CASE("F28: a trash that cannot be used deletes nothing instead") {
  CleanBench c;
  c.by = CleanBy::trashing;
  c.add("film.mkv", "the film");
  fs::create_directory_symlink(c.b.movies(), c.b.downloads() / ".haul-trash");

  CHECK(c.outcome() == "no_trash");

  CHECK(fs::exists(c.b.downloads() / "film.mkv"));
}

}  // namespace haul::testing

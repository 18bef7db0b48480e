#include <doctest/doctest.h>

#include <fstream>

#include "app/doctor.h"
#include "sink/library/root_mark.h"
#include "support/io/temp_folder.h"

namespace haul::app {
namespace {

using cli::Health;
using testing::TempFolder;

DoctorServer plex(const Result<media_server::ServerProbe>& answer, const std::string& map) {
  return {.name = "plex",
          .url = "http://plex:32400",
          .paths = PathMap::parse(std::span{&map, 1}).value(),
          .ask = [answer] { return answer; }};
}

Result<media_server::ServerProbe> fault(const char* code) {
  return std::unexpected{Fault{FaultKind::environment, code, "no"}};
}

const DoctorLibrary kFilms{
    .roots = {{.key = "library.movies.root", .path = "/srv/films", .kind = "movie"}}};

}  // namespace

TEST_CASE("libraries that are not configured are a note, and need no media server") {
  const auto none = examine_library({});
  REQUIRE(none.size() == 1);
  CHECK(none.front().health == Health::note);
  CHECK(none.front().mend == "set library.movies.root or library.series.root");
  CHECK(examine_server({}, {}).empty());
}

TEST_CASE("C9: a library must exist, be a folder and be writable, and so must the download root") {
  const TempFolder folder;
  std::ofstream{folder / "file"} << "x";
  const auto look = [&](const std::string& root, const std::string& downloads) {
    return examine_library(
        {.roots = {{.key = "library.movies.root", .path = root, .kind = "movie"}},
         .download_root = downloads});
  };
  const std::string good = folder.path().string();

  const auto all_good = look(good, good);
  REQUIRE(all_good.size() == 2);
  CHECK(all_good[0].health == Health::ok);
  CHECK(all_good[1].health == Health::ok);
  CHECK(all_good[1].detail.find("on the file system of") != std::string::npos);
  for (const std::string& bad : {(folder / "none").string(), (folder / "file").string()}) {
    const auto root = look(bad, good);
    CHECK(root[1].health == Health::wrong);
    CHECK(root[1].what == "library.movies.root");
    const auto downloads = look(good, bad);
    CHECK(downloads[0].health == Health::wrong);
    CHECK(downloads[0].what == "importer.download_root");
  }
  CHECK(look(good, "")[0].detail == "not configured: haul cannot import films");
}

TEST_CASE("a library on another file system is a note, and wrong if haul may not copy") {
  const TempFolder folder;
  DoctorLibrary library{
      .roots = {{.key = "library.movies.root", .path = folder.path().string(), .kind = "movie"}},
      .download_root = "/proc"};

  CHECK(examine_library(library).back().health == Health::note);
  library.may_copy = false;
  const cli::Finding wrong = examine_library(library).back();
  CHECK(wrong.health == Health::wrong);
  CHECK(wrong.mend.find("add copy to importer.link") != std::string::npos);
}

TEST_CASE("F28: a library that has lost its mark is not mounted") {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "movies");
  const std::filesystem::path root = folder / "movies";
  const DoctorLibrary found{
      .roots = {{.key = "library.movies.root", .path = root.string(), .kind = "movie"}},
      .download_root = folder.path().string(),
      .root_records = folder / "roots"};
  REQUIRE(library::use_root(found.root_records, io::open_root(root).value(), root));
  CHECK(examine_library(found).back().health == Health::ok);

  std::filesystem::remove(root / ".haul-root");

  const cli::Finding wrong = examine_library(found).back();
  CHECK(wrong.health == Health::wrong);
  CHECK(wrong.mend == "mount its disk, or create an empty file .haul-root in it");
}

TEST_CASE("a media server answers, accepts the token and has the library, or says what to check") {
  const media_server::ServerProbe there{
      .product = "Plex",
      .version = "1.43",
      .libraries = {{.id = "1", .kind = "movie", .folders = {"/data/films"}}}};
  const auto look = [](const DoctorServer& server) {
    const auto findings = examine_server(server, kFilms);
    REQUIRE(findings.size() == 1);
    return findings.front();
  };

  const cli::Finding good = look(plex(there, "/data=/srv"));
  CHECK(good.health == Health::ok);
  CHECK(good.detail == "accepts haul at http://plex:32400, Plex 1.43");
  CHECK(look(plex(fault("server_unreachable"), "/data=/srv")).mend ==
        "start it, or check sink.plex.url");
  CHECK(look(plex(fault("server_refused_token"), "/data=/srv")).mend == "check sink.plex.token");
  CHECK(look(plex(fault("server_garbage"), "/data=/srv")).mend == "check sink.plex.url");
  CHECK(look(plex(there, "/data=/elsewhere")).detail ==
        "no entry of sink.plex.path_map covers /srv/films");
  CHECK(look(plex(there, "/other=/srv")).detail ==
        "no library of Plex has the folder /other/films");
  CHECK(look({}).health == Health::ok);
}

}  // namespace haul::app

#include "sink/library/import_request.h"

#include <doctest/doctest.h>

namespace haul::library {

TEST_CASE("001: every field of a media request that names its files is read") {
  const auto request = read_import_request(
      R"({"kind":"series","title":"Show","year":2003,"season":0,"episode":12,"quality":"1080p",)"
      R"("uri":"magnet:?x","release_name":"Show.S00E12"})");

  REQUIRE(request);
  CHECK(*request == ImportRequest{.kind = LibraryKind::series,
                                  .title = "Show",
                                  .year = 2003,
                                  .season = 0,
                                  .episode = 12,
                                  .quality = "1080p",
                                  .release_name = "Show.S00E12"});
}

TEST_CASE("001: what a request leaves out, or has as null or as an empty text, is unknown") {
  const auto request =
      read_import_request(R"({"kind":"","title":"Movie","year":null,"release_name":"M"})");

  REQUIRE(request);
  CHECK(*request == ImportRequest{.title = "Movie", .release_name = "M"});
  CHECK(read_import_request(R"({"kind":"movie"})")->kind == LibraryKind::movie);
  CHECK(!read_import_request(R"({"year":99999999999})")->year);
  CHECK(!read_import_request(R"({"year":-1})")->year);
}

TEST_CASE("001: a request that is no object is a fault") {
  CHECK(!read_import_request("[]"));
  CHECK(!read_import_request(""));
}

TEST_CASE("S1-21: a file's name cannot break out of the command that a fix shows") {
  CHECK(file_command("a b.mkv", "skip") == "haul import JOB --file 'a b.mkv=skip'");
  CHECK(file_command("a'$(reboot)'.mkv", "S01E02") ==
        R"(haul import JOB --file 'a'\''$(reboot)'\''.mkv=S01E02')");
  CHECK(file_command("a\n.mkv", "skip").find('\n') == std::string::npos);
}

TEST_CASE("S1-21: the command of a fix names the job, and no file's name is changed") {
  const auto fix = [](std::string text) {
    return fix_for({"cannot_parse", "", std::move(text)}, JobId{12});
  };
  CHECK(fix("haul import JOB --as S01E02") == "haul import 12 --as S01E02");
  CHECK(fix("Or leave one out: " + file_command("haul import JOB.mkv", "skip")) ==
        "Or leave one out: haul import 12 --file 'haul import JOB.mkv=skip'");
  CHECK(fix("Choose another release.") == "Choose another release.");
  CHECK(fix("").empty());
}

}  // namespace haul::library

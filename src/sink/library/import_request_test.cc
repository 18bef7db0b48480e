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

TEST_CASE("S1-21: by hand, a text is for the job, or for the file before the last '='") {
  CHECK(read_override("S01E02") == ImportOverride{.as = "S01E02"});
  CHECK(read_override(" S01E02 ") == ImportOverride{.as = "S01E02"});
  CHECK(read_override("a/b 2.mkv=S01E02") == ImportOverride{"a/b 2.mkv", "S01E02"});
  CHECK(read_override("a=b.mkv=skip") == ImportOverride{"a=b.mkv", "skip"});
}

TEST_CASE("S1-21: a file's name cannot break out of the command that a fix shows") {
  CHECK(override_command("a b.mkv", "skip") == "haul import JOB --as 'a b.mkv=skip'");
  CHECK(override_command("a'$(reboot)'.mkv", "S01E02") ==
        R"(haul import JOB --as 'a'\''$(reboot)'\''.mkv=S01E02')");
  CHECK(override_command("a\n.mkv", "skip").find('\n') == std::string::npos);
}

}  // namespace haul::library

// What landing reports is what a later verify and clean read.

#include "sink/library/evidence.h"

#include <doctest/doctest.h>

#include "base/json.h"

namespace haul::library {

TEST_CASE("evidence is JSON that is read back as it was") {
  const std::vector<LandedFile> files = {
      {.path = "/lib/\"A\" ä.mkv", .size = 10, .source = "a/b.mkv", .how = "copy", .sha256 = "ab"},
      {.path = "/lib/b.mkv", .size = 0, .source = "b.mkv", .how = "hardlink", .sha256 = ""}};

  const std::string json = evidence_json(files);

  CHECK(is_json_text(json));
  CHECK((read_evidence(json) == files));
  CHECK(read_evidence(evidence_json({})).empty());
}

TEST_CASE("evidence that cannot be read is none") {
  for (const char* text : {"", "{", "[]", "{}", R"({"files":1})", R"({"files":{"a":1}})"})
    CHECK_MESSAGE(read_evidence(text).empty(), text);
  const auto partly = read_evidence(R"({"files":[{"path":"/a"},7]})");
  REQUIRE(partly.size() == 2);
  CHECK(partly[0].path == "/a");
  CHECK(partly[0].size == -1);
  CHECK(partly[1].path.empty());
}

}  // namespace haul::library

#include "base/web.h"

#include <doctest/doctest.h>

namespace haul {
namespace {

using Segments = std::vector<std::string>;

TEST_CASE("a target is taken apart and decoded") {
  CHECK(parse_target("/") == WebTarget{});
  CHECK(parse_target("/jobs/12")->segments == Segments{"jobs", "12"});
  CHECK(parse_target("/jobs/")->segments == Segments{"jobs"});
  CHECK(parse_target("/%C3%A9+x")->segments == Segments{"\u00e9+x"});
  const auto query = parse_target("/jobs?q=a%20b+c&end=open&flag&&empty=")->query;
  CHECK(query == WebFields{{"q", "a b c"}, {"end", "open"}, {"flag", ""}, {"empty", ""}});
}

TEST_CASE("J37: what could be read as another path is refused") {
  for (const char* text :
       {"",       "x",         "jobs",    "http://h/", "*",      "/../etc/passwd", "/a/../b",
        "/a/./b", "/%2e%2e/x", "/..%2fx", "/a%2Fb",    "/a%5cb", "/a\\b",          "//h/x",
        "/a//b",  "/a#b",      "/%",      "/%4",       "/%zz",   "/?a=%",          "/?%g1=x"})
    CHECK_MESSAGE(!parse_target(text), text);
  CHECK(parse_target("/%252e%252e")->segments == Segments{"%2e%2e"});  // Decoded once, not twice.
}

TEST_CASE("NUL, controls and what is not UTF-8 are refused, in paths and queries") {
  for (const char* text : {"/a%00b", "/%0a", "/%1b", "/%7f", "/%ff", "/%c0%af", "/%ed%a0%80",
                           "/?q=%00", "/?%00=q", "/?q=%ff", "/\x80"})
    CHECK_MESSAGE(!parse_target(text), text);
}

TEST_CASE("promise 17: sixteen segments and thirty-two fields are read, one more is refused") {
  std::string path;
  for (int i = 0; i < 16; ++i) path += "/a";
  CHECK(parse_target(path)->segments.size() == 16);
  CHECK(parse_target(path + "/"));
  CHECK_FALSE(parse_target(path + "/a"));
  std::string query = "/?a";
  for (int i = 1; i < 32; ++i) query += "&a";
  CHECK(parse_target(query)->query.size() == 32);
  CHECK_FALSE(parse_target(query + "&a"));
}

TEST_CASE("headers and fields of the query are found by name, the first of each") {
  const WebRequest request{.target = {.query = {{"a", "1"}, {"a", "2"}}}, .headers = {{"h", "x"}}};
  CHECK(request.header("h") == "x");
  CHECK(request.header("g").empty());
  CHECK(request.query("a") == "1");
  CHECK(request.query("b").empty());
}

}  // namespace
}  // namespace haul

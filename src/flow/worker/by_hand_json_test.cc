#include "flow/worker/by_hand_json.h"

#include <doctest/doctest.h>

namespace haul::flow {
namespace {

using Said = std::vector<ByHand>;

}  // namespace

TEST_CASE("S1-21: what a user says by hand is read as it was written, whatever the names are") {
  for (const Said& said :
       {Said{}, Said{{.path = {}, .as = "S01E02"}}, Said{{"a/b.mkv", "S01E02"}, {"c.mkv", "skip"}},
        Said{{.path = {}, .as = "S01"}, {"a \"b\"\n{}.mkv", "S01E02"}}})
    CHECK(read_by_hand(by_hand_json(said)) == said);
  CHECK(by_hand_json(Said{{.path = {}, .as = "S01"}, {"a.mkv", "S01E02"}}) ==
        R"({"as":"S01","files":{"a.mkv":"S01E02"}})");
  CHECK(by_hand_json({}) == R"({"as":null,"files":{}})");
}

TEST_CASE("S1-21: a text that says nothing by hand gives nothing") {
  for (const char* text : {"", "[]", "{}", R"({"as":null})", R"({"files":[]})", R"({"other":1})"})
    CHECK(read_by_hand(text).empty());
}

}  // namespace haul::flow

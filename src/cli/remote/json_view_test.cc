#include "cli/remote/json_view.h"

#include <doctest/doctest.h>

namespace haul::cli {
namespace {

TEST_CASE("a missing, null or mistyped field reads as empty") {
  const auto view = JsonView::read(
      R"({"a":"text","b":7,"c":true,"d":null,"e":[1,"x"],"f":{"g":2},"h":1.5,"i":1e300})");
  REQUIRE(view);

  CHECK(view->text("a") == "text");
  CHECK(view->text("b") == "7");
  CHECK(view->text("d").empty());
  CHECK(view->text("none").empty());
  CHECK(view->number("b") == 7);
  CHECK(view->number("h") == 1);
  CHECK(view->number("a") == std::nullopt);
  CHECK(view->number("i") == std::nullopt);
  CHECK(view->flag("c"));
  CHECK(!view->flag("a"));
  CHECK(view->list("e") == std::vector<std::string>{"1", "x"});
  CHECK(view->list("a").empty());
  CHECK(view->object("f").number("g") == 2);
  CHECK(view->object("a").is_empty());
}

TEST_CASE("an answer that is not haul's JSON is a fault") {
  for (const char* text : {"", "<html>", "[]", "3", "{\"a\":1,\"a\":2}"}) {
    CAPTURE(text);
    const auto view = JsonView::read(text);
    REQUIRE(!view);
    CHECK(view.error().code == "bad_answer");
  }
  CHECK(!read_list("{}"));
  CHECK(read_list(R"({"items":[],"next":null})")->items.empty());
  CHECK(read_list(R"({"items":[{"a":1}],"next":"5"})")->next == "5");
}

TEST_CASE("JSON is printed unchanged, but with terminal control characters escaped") {
  CHECK(safe_json(R"({"a":"語\u001b"})") == R"({"a":"語\u001b"})");
  CHECK(safe_json("{\"a\":\"\u009b\u202e\"}\n") == R"({"a":"\u009b\u202e"})");
  CHECK(safe_json("{\n  \"a\": 1\n}") == "{   \"a\": 1 }");
  CHECK(safe_json("\"\xff\"") == R"("\ufffd")");
}

}  // namespace
}  // namespace haul::cli

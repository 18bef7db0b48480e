#include "sink/server/lenient_json.h"

#include <doctest/doctest.h>

namespace haul::media_server {

TEST_CASE("a member is read in whatever form the server sends it") {
  const auto view = LenientJson::read(
      R"({"key":"7","id":7,"on":true,"off":0,"word":"false","none":null,"rate":6.6,)"
      R"("list":[{"a":1},2,{"a":3}],"names":["x","y"],"inner":{"b":"c"}})");
  REQUIRE(view);

  CHECK(view->text("key") == "7");
  CHECK(view->text("id") == "7");
  CHECK(view->text("rate") == "6.6");
  CHECK(view->whole("key") == 7);
  CHECK(view->whole("id") == 7);
  CHECK(view->whole("rate") == std::nullopt);
  CHECK(view->is_no("off"));
  CHECK(view->is_no("word"));
  CHECK_FALSE(view->is_no("on"));
  CHECK_FALSE(view->is_no("missing"));
  CHECK(view->objects("list")->size() == 2);
  CHECK(view->objects("list")->back().whole("a") == 3);
  CHECK(view->texts("names") == std::vector<std::string>{"x", "y"});
  CHECK(view->object("inner")->text("b") == "c");
}

TEST_CASE("a member that is missing or of another type is empty") {
  const auto view = LenientJson::read(R"({"text":"a","list":[1],"inner":{},"none":null})");
  REQUIRE(view);

  for (const char* name : {"missing", "none", "list", "inner"}) {
    CHECK_MESSAGE(view->text(name).empty(), name);
    CHECK_MESSAGE(view->whole(name) == std::nullopt, name);
  }
  CHECK_FALSE(view->has("none"));
  CHECK(view->has("inner"));
  CHECK_FALSE(view->object("text"));
  CHECK_FALSE(view->objects("text"));
  CHECK_FALSE(view->objects("missing"));
  CHECK(view->texts("missing").empty());
}

TEST_CASE("text that is not one object is not read") {
  for (const char* text : {"", "[]", "null", "<html>", R"({"a":1)", R"({"a":1}{})"})
    CHECK_MESSAGE(!LenientJson::read(text), text);
  CHECK_FALSE(read_objects("{}"));
  CHECK(read_objects("[]")->empty());
}

}  // namespace haul::media_server

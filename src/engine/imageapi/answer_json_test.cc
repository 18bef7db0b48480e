#include "engine/imageapi/answer_json.h"

#include <doctest/doctest.h>

namespace haul::imageapi {

TEST_CASE("a member that is missing or of another type is empty") {
  const auto json =
      AnswerJson::read(R"({"a":"x","b":7,"c":{"d":true},"e":["y",{"f":1}],"g":null})");
  REQUIRE(json);
  CHECK(json->text("a") == "x");
  CHECK(json->text("b") == "7");
  CHECK(json->text("c").empty());
  CHECK(json->text("g").empty());
  CHECK(json->text("z").empty());
  CHECK(json->object("c")->text("d") == "true");
  CHECK_FALSE(json->object("a"));
  CHECK(json->array("e") == std::vector<std::string>{"y", R"({"f":1})"});
  CHECK(json->array("a").empty());
  CHECK_FALSE(AnswerJson::read("[1]"));
  CHECK_FALSE(AnswerJson::read("<html>"));
}

TEST_CASE("a long text of base64 is cut out, and found again by its mark") {
  const std::string image(5'000, 'A');
  const std::string text = R"({"data":[{"b64_json":")" + image + R"(","x":"a \" b"}]})";

  const CutJson cut = cut_long_texts(text);

  CHECK(cut.json.size() < 100);
  const auto json = AnswerJson::read(cut.json);
  REQUIRE(json);
  const auto row = AnswerJson::read(json->array("data").front());
  CHECK(cut.whole(row->text("b64_json")) == image);
  CHECK(cut.whole(row->text("x")) == "a \" b");
}

TEST_CASE("texts that are short or not base64 stay, and a mark of the provider's leads nowhere") {
  for (const std::string& text :
       {std::string(4'096, 'A'), std::string(5'000, '.'), std::string{"haul-cut-0"},
        std::string{"haul-cut-99999999999999999999"}, std::string{"haul-cut--1"}}) {
    const std::string json = "{\"a\":\"" + text + "\"}";
    const CutJson cut = cut_long_texts(json);
    CHECK(cut.json == json);
    CHECK(cut.whole(text) == text);
  }
}

TEST_CASE("text that ends inside a string is cut without reading past its end") {
  for (const char* text : {"\"", "{\"a\":\"b", "{\"a\":\"b\\", "\\\"", ""})
    CHECK(cut_long_texts(text).json == text);
  const std::string open = "\"" + std::string(5'000, 'A');
  CHECK(cut_long_texts(open).texts.size() <= 1);
}

TEST_CASE("more bytes than the reader of JSON takes are read if they are an image") {
  const std::string image(std::size_t{40} << 20U, 'A');
  const std::string text = R"({"images":[")" + image + R"("],"info":"{}"})";

  const CutJson cut = cut_long_texts(text);

  const auto json = AnswerJson::read(cut.json);
  REQUIRE(json);
  CHECK(cut.whole(json->array("images").front()).size() == image.size());
}

TEST_CASE("an image as base64 may have line breaks and the head of a data address") {
  CHECK(image_bytes("aGF1bA==") == "haul");
  CHECK(image_bytes("aGF1\nbA==\r\n") == "haul");
  CHECK(image_bytes(R"(aGF1\nbA==)") == "haul");
  CHECK(image_bytes("data:image/png;base64,aGF1bA==") == "haul");
  CHECK_FALSE(image_bytes("data:image/png,aGF1bA=="));
  CHECK_FALSE(image_bytes("no base64!"));
  std::string lines;
  for (int i = 0; i < 2'000; ++i) lines += R"(aGF1bGhh\n)";
  const std::string json = R"({"b":"data:image/png;base64,)" + lines + R"("})";
  const CutJson cut = cut_long_texts(json);
  CHECK(cut.texts.size() == 1);
  CHECK(image_bytes(cut.whole(AnswerJson::read(cut.json)->text("b")))->size() == 12'000);
}

}  // namespace haul::imageapi

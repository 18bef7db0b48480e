#include "base/json_plain.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "support/run/proof.h"

namespace haul {
namespace {

using Json = nlohmann::json;

// The library's answer; nothing if the text is not an object.
std::optional<std::vector<JsonField>> by_library(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  std::vector<JsonField> fields;
  for (const auto& [name, value] : json.items())
    fields.push_back({name, value.is_string() ? value.get<std::string>() : value.dump(),
                      value.is_null(), value.dump()});
  return fields;
}

std::string shown(const std::optional<std::vector<JsonField>>& fields) {
  if (!fields) return "nothing";
  std::string out;
  for (const JsonField& field : *fields)
    out += field.name + "|" + field.text + "|" + (field.is_null ? "null" : "") + "|" + field.json +
           "\n";
  return out;
}

// Text that is JSON, almost JSON, or not JSON at all.
std::string some_text(std::mt19937_64& random) {
  constexpr std::string_view kPieces[] = {
      "{",     "}",       "[",     "]",    ":",         ",",     " ",
      "\"a\"", "\"b\"",   "\"\"",  "1",    "0",         "12",    "01",
      "1.5",   "-1",      "1e3",   "true", "null",      "fal",   "\"",
      "\\",    "\"\\n\"", "\"é\"", "\n",   "{\"a\":1}", "[1,2]", "123456789012345678"};
  std::string text = "{";
  const std::size_t pieces = random() % 12;
  for (std::size_t i = 0; i < pieces; ++i) text += kPieces[random() % std::size(kPieces)];
  return text + "}";
}

Json some_value(std::mt19937_64& random, int depth) {
  switch (random() % (depth > 4 ? 4 : 6)) {
    case 0:
      return random() % 1'000'000;
    case 1:
      return std::string(random() % 4, static_cast<char>('a' + random() % 26));
    case 2:
      return random() % 2 == 0;
    case 3:
      return nullptr;
    case 4: {
      Json list = Json::array();
      for (std::size_t i = random() % 4; i > 0; --i) list.push_back(some_value(random, depth + 1));
      return list;
    }
    default: {
      Json object = Json::object();
      for (std::size_t i = random() % 4; i > 0; --i)
        object[std::string(1 + random() % 3, static_cast<char>('a' + random() % 5))] =
            some_value(random, depth + 1);
      return object;
    }
  }
}

}  // namespace

TEST_CASE("what is plain is read as the library reads it; what is wrong is never plain") {
  const unsigned seed = testing::seed_of_test();
  INFO("seed " << seed);
  std::mt19937_64 random{seed};
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = some_text(random);
    INFO(text);
    if (is_plain_json(text)) REQUIRE(Json::accept(text));
    const auto plain = read_plain_object(text);
    if (!plain) continue;
    REQUIRE(shown(plain) == shown(by_library(text)));
    REQUIRE(plain_canonical(text) == Json::parse(text).dump());
  }
  for (int i = 0; i < 2'000; ++i) {
    Json object = Json::object();
    for (int n = 0; n < 4; ++n) object["k" + std::to_string(random() % 9)] = some_value(random, 0);
    const std::string text = object.dump(random() % 2 == 0 ? -1 : 2);
    INFO(text);
    const auto plain = read_plain_object(text);
    REQUIRE(plain.has_value());
    REQUIRE(shown(plain) == shown(by_library(text)));
    REQUIRE(plain_canonical(text) == object.dump());
    REQUIRE(is_plain_json(text));
    Json members = Json::object();
    const auto views = plain_members(text);
    REQUIRE(views.has_value());
    for (const JsonMember& member : *views)
      members[std::string{member.name}] = Json::parse(member.json);
    REQUIRE(members == object);
  }
}

TEST_CASE("quotes within a text are plain enough to be passed over, other escapes are not") {
  for (const char* text : {R"("")", R"("a\"b\\")", R"({"\"":["\\"]})", " 12 ", "null"})
    CHECK_MESSAGE(is_plain_json(text), text);
  for (const char* text : {"", "\"", R"("\")", R"("\n")", R"("\u0041")", "\"\n\"", "\"é\"", "{}x",
                           R"({"a"})", R"({1:2})", "[1,]", "1.5", "-1"})
    CHECK_FALSE_MESSAGE(is_plain_json(text), text);
}

TEST_CASE("names are sorted whatever their order; one given twice is left to the library") {
  CHECK(shown(read_plain_object(R"({"b":{"d":1,"c":[]},"a":"x"})")) ==
        "a|x||\"x\"\nb|{\"c\":[],\"d\":1}||{\"c\":[],\"d\":1}\n");
  CHECK_FALSE(read_plain_object(R"({"a":1,"a":2})").has_value());
  CHECK_FALSE(read_plain_object(R"({"x":{"a":1,"b":2,"a":3}})").has_value());
  CHECK_FALSE(read_plain_object(R"({"a":1} x)").has_value());
  CHECK_FALSE(read_plain_object(R"([1])").has_value());
  CHECK((read_plain_array(R"( [ {"b":1,"a":2} , "x" , 3 ] )") ==
         std::vector<std::string>{R"({"a":2,"b":1})", "x", "3"}));
  CHECK((read_plain_array(R"(["", "a b" ,["x"]])") ==
         std::vector<std::string>{"", "a b", R"(["x"])"}));
  for (const char* text :
       {"[1,]", "[\"a", "[\"a\"", R"(["a\"b"])", "[\"é\"]", "[\"\x7f\"]", "[\"\n\"]"})
    CHECK_FALSE_MESSAGE(read_plain_array(text).has_value(), text);
  CHECK_FALSE(read_plain_array(std::string(40, '[') + std::string(40, ']')).has_value());
}

TEST_CASE("members are views in the order of the text; what is not plain is left to the library") {
  const auto members = plain_members(R"( {"b" : [ "x\"" ] ,"a":null} )");
  REQUIRE(members.has_value());
  CHECK((*members == std::vector<JsonMember>{{"b", R"([ "x\"" ])"}, {"a", "null"}}));
  CHECK(plain_members("{}") == std::vector<JsonMember>{});
  for (const char* text : {"", "[]", "{", R"({"a":1)", R"({"a":1,})", R"({"a":1} x)",
                           R"({"a":"é"})", R"({"a":"\n"})", R"({"a\"":1})"})
    CHECK_FALSE_MESSAGE(plain_members(text).has_value(), text);
}

}  // namespace haul

#include "store/rules/key.h"

#include <doctest/doctest.h>

#include "base/hash.h"

namespace haul::rules {
namespace {

constexpr Time kNow = from_unix_ms(1'770'000'000'000);
constexpr UserId kOwner{7};

std::string slot(ShortList<std::string_view, 4> fields, const char* request) {
  Lifecycle table{.name = "test"};
  table.slot = fields;
  return slot_of(table, kOwner, read_object(request).value());
}

std::string key(KeyForm form, const char* request) {
  Lifecycle table{.name = "test"};
  table.key = {KeyScope::forever, form, {"a", "b"}};
  return key_of(table, kOwner, read_object(request).value(), kNow).value;
}

}  // namespace

TEST_CASE("a slot is the text of its fields, apart from each other, also if the first is empty") {
  CHECK(slot({"owner", "a"}, R"({"a":"x"})") == "7\x1fx");
  CHECK(slot({"a", "b"}, R"({"a":"x","b":"y"})") == "x\x1fy");
  CHECK(slot({"a", "b"}, R"({"a":"","b":"y"})") == "\x1fy");
  CHECK(slot({"a", "b"}, R"({"b":"y"})") == "\x1fy");
  CHECK(slot({"b"}, R"({"b":"y"})") == "y");
  CHECK(slot({}, R"({"b":"y"})").empty());
}

TEST_CASE("a key joins its fields, also if the first is empty") {
  CHECK(key(KeyForm::colons, R"({"a":"x","b":"y"})") == sha256_hex("x:y"));
  CHECK(key(KeyForm::colons, R"({"a":"","b":"y"})") == sha256_hex(":y"));
  CHECK(key(KeyForm::array, R"({"a":"x","b":1})") == sha256_hex(R"(["x",1])"));
  CHECK(key(KeyForm::array, R"({"b":1})") == sha256_hex("[null,1]"));
}

}  // namespace haul::rules

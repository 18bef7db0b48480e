#include <doctest/doctest.h>

#include "base/json.h"

namespace haul {
namespace {

constexpr std::string_view kNames[] = {"a", "b"};

std::string rows_of(std::string_view text, std::size_t most = 10) {
  const auto rows = read_rows(text, kNames, most);
  if (!rows) return rows.error().code + ": " + rows.error().detail;
  std::string out;
  for (const JsonRow& row : *rows) {
    for (const JsonScalar& value : row)
      out += value.kind == JsonScalar::Kind::none ? "- " : value.text + " ";
    out += "/ ";
  }
  return out;
}

}  // namespace

TEST_CASE("rows have the members that were asked for, in that order") {
  CHECK(rows_of("[]") == "");
  CHECK(rows_of(R"([{"b":"x","c":3,"a":1},{"a":-2}])") == "1 x / -2 - / ");
  CHECK(rows_of(R"([{"a":true,"b":null}])") == "true - / ");
  CHECK(rows_of(R"([{"a":0.99999,"b":1e3}])") == "0.99999 1e3 / ");
}

TEST_CASE("a member that is an object or a list is nothing, and nothing inside it counts") {
  CHECK(rows_of(R"([{"a":{"a":1,"b":2},"b":[{"a":3}]},{"b":4}])") == "- - / - 4 / ");
}

TEST_CASE("an element that is no object is a row of nothing") {
  CHECK(rows_of(R"([1,"x",null,["a","b"],{"a":1}])") == "- - / - - / - - / - - / 1 - / ");
}

TEST_CASE("what is not one array, is cut off, too deep or too long is refused") {
  CHECK(rows_of("null") == "bad_json: not an array");
  CHECK(rows_of("{}") == "bad_json: not an array");
  CHECK(rows_of("<html>") == "bad_json: not JSON");
  CHECK(rows_of(R"([{"a":1)") == "bad_json: not JSON");
  CHECK(rows_of("") == "bad_json: not JSON");
  CHECK(rows_of(std::string(33, '[') + std::string(33, ']')) == "bad_json: nested too deep");
  CHECK(rows_of(std::string(100'000, '[')) == "bad_json: nested too deep");
  CHECK(rows_of("[{},{},{}]", 3) == "- - / - - / - - / ");
  CHECK(rows_of("[{},{},{}]", 2) == "bad_json: too many");
}

TEST_CASE("a whole number is one that fits") {
  const auto whole = [](std::string text) {
    return JsonScalar{JsonScalar::Kind::number, std::move(text)}.whole();
  };
  CHECK(whole("-1") == -1);
  CHECK(whole("9223372036854775807") == 9'223'372'036'854'775'807);
  CHECK_FALSE(whole("9223372036854775808").has_value());
  CHECK_FALSE(whole("0.5").has_value());
  CHECK_FALSE(JsonScalar{JsonScalar::Kind::text, "5"}.whole().has_value());
}

}  // namespace haul

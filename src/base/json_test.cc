#include "base/json.h"

#include <doctest/doctest.h>

#include <string>

namespace haul {
namespace {

using namespace std::string_literals;

constexpr std::size_t kMost = std::size_t{16} << 20U;

// The fields as "a=1 b=x", or why read_object refused them.
std::string read(std::string_view json) {
  const auto fields = read_object(json);
  if (!fields) return fields.error().detail;
  std::string text;
  for (const JsonField& field : *fields)
    text += (text.empty() ? "" : " ") + field.name + "=" + field.text;
  return text;
}

// The canonical form, or why canonical() refused the text. read_object must refuse the same texts.
// Where text stops being JSON has a test of its own; here it is left out.
std::string form(std::string_view json) {
  const auto text = canonical(json);
  CHECK(text.has_value() == read_object(json).has_value());
  if (text) return *text;
  const std::string& why = text.error().detail;
  return why.starts_with("not JSON: line ") ? "not JSON" : why;
}

// `depth` objects, one inside the other; the innermost is empty.
std::string nested(int depth) {
  std::string text;
  for (int i = 1; i < depth; ++i) text += R"({"a":)";
  text += "{}";
  return text + std::string(static_cast<std::size_t>(depth) - 1, '}');
}

// An object of exactly `bytes` bytes.
std::string sized(std::size_t bytes) {
  const std::string frame = R"({"a":""})";
  return R"({"a":")" + std::string(bytes - frame.size(), 'x') + R"("})";
}

}  // namespace

TEST_CASE("fields come in the order of their names: strings as they are, the rest as JSON") {
  CHECK(read(R"({"b":"x y","a":1,"d":{"z":1,"y":[true,null]},"c":-2.5})") ==
        R"(a=1 b=x y c=-2.5 d={"y":[true,null],"z":1})");
  CHECK(read(R"({"s":"\u00e9\n\"\\"})") == "s=\u00e9\n\"\\");
  CHECK(read("{}").empty());
}

TEST_CASE("J1: what is not JSON is refused with the line and the byte where it goes wrong") {
  const auto where = [](std::string_view text) { return read_object(text).error().detail; };

  CHECK(where("") == "not JSON: line 1, column 1");
  CHECK(where("nope") == "not JSON: line 1, column 2");
  CHECK(where(R"({"a":1,})") == "not JSON: line 1, column 8");
  CHECK(where("{\n  \"a\": 1\n  \"b\": 2\n}") == "not JSON: line 3, column 5");
  CHECK(where(R"({"a":1)") == "not JSON: line 1, column 7");
  CHECK(where(R"({"a":1} x)") == "not JSON: line 1, column 9");
  CHECK(where(std::string_view{"{\n\0}", 4}) == "not JSON: line 2, column 1");
  CHECK(where("[]") == "not an object");
}

TEST_CASE("J1, J2: what is not JSON is refused as bad_json: words, halves, and more than one") {
  for (const char* text : {"", " ", "nonsense", "{", R"({"a":)", R"({"a":1)", R"({"a" 1})",
                           R"({"a":1,})", R"({'a':1})", "{} {}", R"({"a":01})", R"({"a":NaN})",
                           R"({"a":+1})", "{}x", R"({"a":"x)", "// c\n{}", R"({"a":1e999})"}) {
    CHECK_MESSAGE(form(text) == "not JSON", text);
    CHECK((read_object(text).error().kind == FaultKind::rejected));
    CHECK(read_object(text).error().code == "bad_json");
  }
}

TEST_CASE("J16: what is not one object is refused: an array, a string, a number, a word") {
  for (const char* text : {"[]", R"([{"a":1}])", R"("a")", "1", "null", "true"})
    CHECK_MESSAGE(form(text) == "not an object", text);
}

TEST_CASE("J4: 31 and 32 objects deep are read, 33 and 100,000 are refused") {
  CHECK(form(nested(31)) == nested(31));
  CHECK(form(nested(32)) == nested(32));
  CHECK(form(nested(33)) == "nested too deep");
  CHECK(canonical(nested(100'000)).error().detail == "nested too deep");
}

TEST_CASE("J4: arrays count as objects do, and half a bomb is refused like a whole one") {
  const auto arrays = [](std::size_t depth) {
    return R"({"a":)" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
  };
  CHECK(form(arrays(31)) == arrays(31));
  CHECK(form(arrays(32)) == arrays(32));
  CHECK(form(arrays(33)) == "nested too deep");
  const std::string half = R"({"a":)" + std::string(100'000, '[');
  CHECK(canonical(half).error().detail == "nested too deep");
}

TEST_CASE("J6: a name given twice is refused and named, at any depth and however it is spelled") {
  CHECK(form(R"({"url":"a","url":"b"})") == "'url' is given twice");
  CHECK(form(R"({"url":"a","url":"a"})") == "'url' is given twice");
  CHECK(form(R"({"a":{"b":{"c":1,"c":2}}})") == "'c' is given twice");
  CHECK(form(R"({"a":[1,{"b":1},{"c":1,"c":2}]})") == "'c' is given twice");
  CHECK(form(R"({"url":1,"\u0075rl":2})") == "'url' is given twice");
  CHECK(form(R"({"a":{"x":1},"b":{},"a":1})") == "'a' is given twice");
}

TEST_CASE("J6: the same name in two objects is no repetition, nor are names that differ by case") {
  CHECK(form(R"({"a":{"a":{"a":1}}})") == R"({"a":{"a":{"a":1}}})");
  CHECK(form(R"({"a":[{"b":1},{"b":2}]})") == R"({"a":[{"b":1},{"b":2}]})");
  CHECK(form(R"({"a":{"b":1},"c":{"b":1}})") == R"({"a":{"b":1},"c":{"b":1}})");
  CHECK(form(R"({"a":1,"A":2})") == R"({"A":2,"a":1})");
}

TEST_CASE("J7: names that are special elsewhere are names") {
  CHECK(read(R"({"__proto__":{"x":1},"constructor":"y","":"z"})") ==
        R"(=z __proto__={"x":1} constructor=y)");
}

TEST_CASE("J9: SQL in a value is text and stays as it was") {
  CHECK(read(R"({"id":"'; DROP TABLE jobs;--"})") == "id='; DROP TABLE jobs;--");
  CHECK(form(R"({"id":"1 OR 1=1"})") == R"({"id":"1 OR 1=1"})");
}

TEST_CASE("J11: lone surrogates are refused, a pair is one character") {
  for (const char* text :
       {R"({"a":"\ud800"})", R"({"a":"\udc00"})", R"({"a":"\ud800x"})", R"({"a":"\ud800\ud800"})",
        R"({"\ud800":1})", "{\"a\":\"\xed\xa0\x80\"}"})
    CHECK_MESSAGE(form(text) == "not JSON", text);
  CHECK(read(R"({"a":"\ud83d\ude00"})") == "a=\U0001F600");
}

TEST_CASE("J11: broken UTF-8 is refused: a stray byte, an overlong slash, a cut character") {
  for (const char* bytes : {"\xff", "\xfe", "\xc0\xaf", "\xe2\x82", "\x80", "\xf8\x88\x80\x80\x80"})
    CHECK(form("{\"a\":\""s + bytes + "\"}") == "not JSON");
}

TEST_CASE("J12: a byte order mark before the object is passed over, UTF-16 is refused") {
  CHECK(form("\xef\xbb\xbf{\"a\":1}") == R"({"a":1})");
  CHECK(form("\xff\xfe{\0}\0"s) == "not JSON");
  CHECK(form("\xfe\xff\0{\0}"s) == "not JSON");
  CHECK(form("{\0}\0"s) == "not JSON");
  CHECK(form("\xef\xbb{\"a\":1}") == "not JSON");
}

TEST_CASE("bare control characters are refused, escaped ones survive, NUL too") {
  CHECK(form("{\"a\":\"x\ny\"}") == "not JSON");
  CHECK(form("{\"a\":\"x\0y\"}"s) == "not JSON");
  CHECK(form(R"({"a":"\u0000\u001f\n"})") == R"({"a":"\u0000\u001f\n"})");
  CHECK(read_object(R"({"a":"x\u0000y"})")->front().text == "x\0y"s);
}

TEST_CASE("F14: a text of exactly 16 MiB is read, one byte more is refused, blanks count") {
  CHECK(canonical(sized(kMost - 1)).has_value());
  CHECK(canonical(sized(kMost)).has_value());
  CHECK(form(sized(kMost + 1)) == "more than 16 MiB");
  CHECK(form(std::string(kMost - 2, ' ') + "{}") == "{}");
  CHECK(form(std::string(kMost - 1, ' ') + "{}") == "more than 16 MiB");
}

TEST_CASE("S4-18: equal requests are equal text, whatever their order, blanks and escapes") {
  const std::string expected = R"({"a":{"c":1,"d":[2,"é"]},"b":"/"})";
  CHECK(form(R"({"b":"/","a":{"d":[2,"é"],"c":1}})") == expected);
  CHECK(form("\n{ \"a\" : { \"d\" : [ 2 , \"\\u00e9\" ] , \"c\" : 1 } ,\t\"b\" : \"\\/\" }\r\n") ==
        expected);
  CHECK(form(expected) == expected);
}

TEST_CASE("S4-18: what differs stays different: order in an array, type, case, blanks in text") {
  CHECK(form(R"({"a":[1,2]})") != form(R"({"a":[2,1]})"));
  CHECK(form(R"({"a":1})") != form(R"({"a":"1"})"));
  CHECK(form(R"({"a":null})") != form("{}"));
  CHECK(form(R"({"a":"x"})") != form(R"({"a":"x "})"));
  CHECK(form(R"({"a":9007199254740993})") == R"({"a":9007199254740993})");  // 2^53 + 1
  CHECK(form(R"({"a":18446744073709551615})") == R"({"a":18446744073709551615})");
}

TEST_CASE("a quoted text reads back as itself, whatever is in it") {
  for (const std::string& text : {""s, "plain"s, "\"quoted\" \\ and /"s, "a\nb\x01\x7f"s,
                                  "\0 in the middle \0"s, "\u00e9\U0001F600"s, "</script>"s})
    CHECK(read_object(R"({"a":)" + json_quoted(text) + "}")->front().text == text);
}

TEST_CASE("a quoted text that is not UTF-8 is still JSON: what is broken is replaced") {
  CHECK(json_quoted("a\xff"
                    "b") == "\"a\ufffdb\"");
  CHECK(json_quoted("\xed\xa0\x80").find("\xed\xa0\x80") == std::string::npos);
}

TEST_CASE("J4: 32 objects deep are read also when the innermost holds a value") {
  std::string text;
  for (int i = 0; i < 32; ++i) text += R"({"a":)";
  text += "1" + std::string(32, '}');
  CHECK(canonical(text).has_value());
}

TEST_CASE("J4: brackets inside strings do not count, nor do those after an escaped quote") {
  const std::string many(100, '[');
  const std::string arrays = std::string(31, '[') + std::string(31, ']');
  for (const std::string& text :
       {R"({"a":")" + many + R"(","b":-1})", R"({"a":"\")" + many + R"({","b":-1})",
        R"({"a":"\\\")" + many + R"("})", R"({")" + many + R"(\"":-1})",
        R"({"a":"]]]\\","b":)" + arrays + "}"})
    CHECK(form(text) == text);
  CHECK(form(R"({"a":"]]]\\","b":[)" + arrays + "]}") == "nested too deep");
  CHECK(form(R"({"a":"\"]]]","b":[)" + arrays + "]}") == "nested too deep");
}

TEST_CASE("J4: arrays and objects side by side do not add up") {
  std::string text = R"({"a":[-1)";
  for (int i = 0; i < 1'000; ++i) text += R"(,[],{},[{"b":[]}])";
  text += "]}";
  CHECK(form(text) == text);
}

TEST_CASE("J4: the first fault of a text is named, whatever follows it") {
  const std::string many(100, '[');
  const auto where = [](const std::string& text) { return read_object(text).error().detail; };

  CHECK(where(R"({"a":1,)" + many) == "not JSON: line 1, column 8");
  CHECK(where("{}\n" + many) == "not JSON: line 2, column 1");
  CHECK(where(R"({"a":1,"a":)" + many) == "'a' is given twice");
  CHECK(where(R"({"b":)" + many + R"({"a":1,"a":2}, nope)") == "nested too deep");
  CHECK(where(many + "\0"s) == "not JSON: line 1, column 101");
}

TEST_CASE("J4: 16 MiB of brackets are refused") {
  const auto detail = [](const auto& read) { return read.error().detail; };
  const std::string arrays(kMost, '[');
  std::string objects;
  while (objects.size() + 5 <= kMost) objects += R"({"a":)";

  CHECK(detail(read_array(arrays)) == "nested too deep");
  CHECK(detail(read_object(arrays)) == "nested too deep");
  CHECK(detail(canonical(objects)) == "nested too deep");
  CHECK(read_array(arrays).error().code == "bad_json");
}

TEST_CASE("the end at a depth is after the bracket that reaches it first") {
  CHECK(end_at_depth("[[[", 2) == 2);
  CHECK(end_at_depth(R"({"[":["]"]} x)", 0) == 11);
  CHECK(end_at_depth(R"({"a":"\"}"},)", 0) == 11);
  CHECK(end_at_depth("[[]", 0) == std::string_view::npos);
  CHECK(end_at_depth("[][]", 2) == std::string_view::npos);
  CHECK(end_at_depth("\"\\", 1) == std::string_view::npos);
  CHECK(end_at_depth("", 0) == std::string_view::npos);
}

}  // namespace haul

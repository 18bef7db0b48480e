#include "store/search.h"

#include <doctest/doctest.h>

#include <string>

namespace haul {
namespace {

using namespace std::string_literals;

bool finds(std::string_view text, std::string_view request) { return Needle{text}.is_in(request); }

const std::string kFilm =
    R"({"quality":"1080p","release_name":"Film.2026","title":"The Film","uri":"magnet:?xt=1"})";

}  // namespace

TEST_CASE("a search looks at the start, the middle and the end of titles and addresses") {
  for (const char* text : {"The", "e F", "Film", "Film.2026", ".2026", "magnet:", "=1", "T", ""})
    CHECK_MESSAGE(finds(text, kFilm), std::string{text});
  for (const char* text : {"The Films", "xThe", "magnet:1", "2027"})
    CHECK_FALSE_MESSAGE(finds(text, kFilm), std::string{text});
}

TEST_CASE("a search takes letters of ASCII in any case") {
  CHECK(finds("the film", kFilm));
  CHECK(finds("THE FILM", kFilm));
  CHECK(finds("MaGnEt", kFilm));
  CHECK(finds("été", R"({"title":"Un été"})"));
  CHECK_FALSE(finds("ÉTÉ", R"({"title":"Un été"})"));
}

TEST_CASE("a search does not see names of fields, other fields, or across two of them") {
  for (const char* text : {"title", "quality", "1080p", "\"", ",", "FilmThe", "uri", "{", ":\""})
    CHECK_FALSE_MESSAGE(finds(text, kFilm), std::string{text});
}

TEST_CASE("F52: a search tells nothing of cookies, headers, logins, or what is redacted") {
  const std::string request =
      R"({"cookies":"c=canary1","headers":["X-Api-Key: canary2"],)"
      R"("limits":{"url":"canary3","title":["canary4"]},"logins":{"https://h":"u:canary5"},)"
      R"("proxy":"http://p:canary6@h","url":"https://h/f?token=canary7&x=seen"})";

  for (int i = 1; i <= 7; ++i) CHECK_FALSE_MESSAGE(finds("canary" + std::to_string(i), request), i);
  CHECK(finds("seen", request));
  CHECK(finds("https://h/f", request));
}

TEST_CASE("a search looks at each of many addresses") {
  const std::string request = R"({"urls":["https://h/1","https://h/two","https://h/3"]})";

  CHECK(finds("h/1", request));
  CHECK(finds("TWO", request));
  CHECK(finds("h/3", request));
  CHECK_FALSE(finds("https://h/1,", request));
  CHECK_FALSE(finds("1\",\"https", request));
}

TEST_CASE("a search reads what JSON escapes: quotes, backslashes, line ends, NUL") {
  const std::string request =
      R"({"prompt":"say \"hi\\there\"\nnow\u0000x","title":"ends in \\","url":"after"})";

  for (const std::string& text :
       {"\"hi"s, "hi\\there"s, "there\"\nnow"s, "w\0x"s, "after"s, "in \\"s})
    CHECK_MESSAGE(finds(text, request), text);
  CHECK_FALSE(finds("\\n", request));
  CHECK_FALSE(finds("u0000", request));
}

TEST_CASE("a search of 500 bytes is made, one of 501 finds nothing") {
  const std::string request = R"({"title":")" + std::string(2'000, 'x') + R"("})";

  CHECK(finds(std::string(kSearchMax, 'x'), request));
  CHECK_FALSE(finds(std::string(kSearchMax + 1, 'x'), request));
  CHECK_FALSE(finds(std::string(10'000'000, 'x'), request));
}

TEST_CASE("a text that is no canonical object has nothing in it, and does no harm") {
  for (const std::string& request :
       {""s, "{"s, "{}"s, "{\""s, R"({"title)"s, R"({"title")"s, R"({"title":)"s, R"({"title":"x)"s,
        R"({"urls":[)"s, R"({"urls":[")"s, R"({"urls":["x)"s, R"({"urls":{"a)"s, "[]"s, "\\\\\""s,
        "{\"\\"s, R"({"title":"\)"s, R"({"title":7})"s, R"({"title":null,"url":{}})"s})
    CHECK_FALSE_MESSAGE(finds("zz", request), request);
}

TEST_CASE("digits alone are a job's id, as far as ids go") {
  CHECK((Needle{"17"}.id() == JobId{17}));
  CHECK((Needle{"0017"}.id() == JobId{17}));
  CHECK((Needle{"9223372036854775807"}.id() == JobId{9'223'372'036'854'775'807}));
  for (const char* text : {"", "9223372036854775808", "-1", "+1", "1 ", " 1", "1a", "1.0", "#1"})
    CHECK_FALSE_MESSAGE(Needle{text}.id().has_value(), std::string{text});
}

}  // namespace haul

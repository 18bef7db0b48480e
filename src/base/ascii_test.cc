#include "base/ascii.h"

#include <doctest/doctest.h>

namespace haul {

TEST_CASE("lower case touches A to Z and nothing else") {
  CHECK(lower("AZ@[az09\u00c4") == "az@[az09\u00c4");
  CHECK(lower("").empty());
}

TEST_CASE("blanks go at both ends and stay inside") {
  CHECK(trimmed(" \t\r\n\v\fa b ") == "a b");
  CHECK(trimmed("a") == "a");
  CHECK(trimmed("\u00a0a") == "\u00a0a");
  CHECK(trimmed("  ").empty());
}

TEST_CASE("%XX is decoded in either case, once, and anything else after % is left") {
  CHECK(percent_decoded("a%20b%2Fc%2f") == "a b/c/");
  CHECK(percent_decoded("%252e") == "%2e");
  CHECK(percent_decoded("100%") == "100%");
  CHECK(percent_decoded("%4") == "%4");
  CHECK(percent_decoded("%g1%1g%%41") == "%g1%1g%A");
  CHECK(percent_decoded("%00") == std::string(1, '\0'));
  CHECK(percent_decoded("=41%41", '=') == "A%41");
}

TEST_CASE("a text is encoded but for letters, digits and four marks, and decoding gives it back") {
  CHECK(percent_encoded("azAZ09-._~") == "azAZ09-._~");
  CHECK(percent_encoded("a b&c=d/é\n") == "a%20b%26c%3Dd%2F%C3%A9%0A");
  CHECK(percent_encoded("").empty());
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK((percent_decoded(percent_encoded(all)) == all));
  CHECK(is_percent_encoded(percent_encoded("100%")));
}

TEST_CASE("a text is percent-encoded if every % is") {
  for (const char* text : {"", "a", "%41", "%41%ff", "a%2Fb"}) CHECK(is_percent_encoded(text));
  for (const char* text : {"%", "%4", "%4g", "%%41", "%41%", "100% x"})
    CHECK_FALSE(is_percent_encoded(text));
}

}  // namespace haul

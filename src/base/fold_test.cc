// Text made comparable, whatever its letters look like.

#include "base/fold.h"

#include <doctest/doctest.h>

#include "base/utf8.h"

namespace haul {

TEST_CASE("S4-2: letters of another case, width or style are the same letter") {
  for (const char* nude : {"nude", "NUDE", "Ｎｕｄｅ", "𝓝𝓾𝓭𝓮", "ⓃⓊⒹⒺ",
                           "ɴ"
                           "ude",
                           "𝗇𝗎𝖽𝖾"}) {
    CAPTURE(nude);
    CHECK((folded(nude) == "nude") == (std::string_view{nude} != "ɴude"));  // A letter of its own.
  }
  CHECK(folded("ﬁnal ㅤx") == "final x");
  CHECK(folded("STRASSE") == folded("straße"));
  CHECK(folded("ΣΊΣΥΦΟΣ") == folded("σίσυφος"));
  CHECK(folded("ЁЖ") == folded("ёж"));
}

TEST_CASE("S4-2: characters without width are removed") {
  CHECK(folded("n\u200bu\u00add\u2060e\ufeff") == "nude");
  CHECK(folded("n\u034fu\ufe0fde\U000e0041") == "nude");
  CHECK(folded("Ｎ\u200bude") == "nude");
}

TEST_CASE("S4-2: marks that strike a letter through or enclose it are removed") {
  CHECK(folded("n\u0336u\u0334d\u0338e\u0335") == "nude");
  CHECK(folded("n\u20d0u\u20ddd\u20f0e\u0488") == "nude");
  CHECK(folded("n\u0489u\u17b4d\u17b5e\ufff9") == "nude");
  CHECK(folded("n\ufffbu\U0001d173d\U0001d17ae") == "nude");
  CHECK(folded("n\u0333u\u0339") != "nu");
}

TEST_CASE("an accent is the same as one letter or as a mark, and marks have one order") {
  CHECK(folded("É") == folded("e\u0301"));
  CHECK(folded("é") != folded("e"));
  CHECK(folded("a\u0323\u0302") == folded("a\u0302\u0323"));
  CHECK(folded("ậ") == folded("a\u0302\u0323"));
}

TEST_CASE("folding a folded text changes nothing, and every result is UTF-8") {
  for (std::uint32_t code = 1; code < 0x20000; ++code) {
    if (code >= 0xd800 && code < 0xe000) continue;
    std::string text;
    append_utf8(text, code);
    const std::string once = folded(text);
    CAPTURE(code);
    REQUIRE(is_utf8(once));
    REQUIRE(folded(once) == once);
  }
  CHECK(folded("a\xff"
               "b") == "a b");
  CHECK(folded("").empty());
}

}  // namespace haul

// Words, phrases and patterns that a text may not contain.

#include "base/blocklist.h"

#include <doctest/doctest.h>

#include <string>

namespace haul {
namespace {

Blocklist list(std::string_view text) {
  auto read = Blocklist::read(text);
  REQUIRE(read);
  return *std::move(read);
}

}  // namespace

TEST_CASE("S4-2: a blocked word is found whatever its letters look like, as a whole word only") {
  const Blocklist blocked = list("# words\nnude\n\n  Blood   Bath \n");
  for (const char* text : {"nude", "a NUDE cat", "Ｎ\u200bude", "(nude)", "nude.", "x-nude", "𝓝𝓾𝓭𝓮",
                           "a blood bath", "blood, bath", "BLOOD\nBATH"})
    CHECK_MESSAGE(blocked.blocks(text), text);
  for (const char* text :
       {"", "denuded", "nudes", "nude1", "ünude", "nud e", "blood", "bloodbath", "bath blood"})
    CHECK_FALSE_MESSAGE(blocked.blocks(text), text);
}

TEST_CASE("S4-2: a word ends at a code point, not at a byte") {
  const Blocklist blocked = list("акт");
  CHECK(blocked.blocks("Акт"));
  CHECK_FALSE(blocked.blocks("актёр"));
  CHECK_FALSE(blocked.blocks("контакт"));
  CHECK_FALSE(list("cafe").blocks("café"));
  CHECK(list("café").blocks("CAFE\u0301"));
}

TEST_CASE("S4-2: a pattern matches anywhere, in the folded text and in the text itself") {
  const Blocklist blocked = list("/b[o0]mb/\n/État/");
  for (const char* text : {"a B0MB", "ｂｏｍｂ", "b\u200bomb", "bombs", "l'État"})
    CHECK_MESSAGE(blocked.blocks(text), text);
  CHECK_FALSE(blocked.blocks("bamb"));
}

TEST_CASE("a blocklist that cannot be read names the line") {
  CHECK(Blocklist::read("ok\n/(/").error().detail.starts_with("line 2: "));
  CHECK_FALSE(Blocklist::read("a\xff"));
  CHECK_FALSE(Blocklist::read(std::string((std::size_t{1} << 20U) + 1, 'a')));
  CHECK_FALSE(list("").blocks("anything"));
  CHECK_FALSE(list("# nude\n \n//").blocks("nude"));
}

TEST_CASE("ten thousand words are read and compared in groups") {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "word" + std::to_string(i) + "\n";
  CHECK(list(text).blocks("a word9999 in it"));
  CHECK_FALSE(list(text).blocks("word10000"));
  CHECK_FALSE(Blocklist::read(text + "one more"));
}

}  // namespace haul

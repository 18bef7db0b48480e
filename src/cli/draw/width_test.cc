#include "cli/draw/width.h"

#include <doctest/doctest.h>

namespace haul::cli {
namespace {

TEST_CASE("a letter takes one column, an East Asian one or an emoji two, a combining mark none") {
  CHECK(columns_of("") == 0);
  CHECK(columns_of("Film.mkv") == 8);
  CHECK(columns_of("Ошибка") == 6);
  CHECK(columns_of("e\u0301") == 1);
  CHECK(columns_of("語語") == 4);
  CHECK(columns_of("🎬") == 2);
  CHECK(columns_of("한글") == 4);
  CHECK(columns_of("\u1112\u1161\u11ab") == 2);  // The same syllable in three code points.
  CHECK(columns_of("\u0e01\u0e33\u0e48") == 2);
  CHECK(columns_of("✓ ✗ … ━ ╸ ─ ↓ ·") == 15);
}

TEST_CASE("the first and last of a range belong to it, their neighbours do not") {
  CHECK(columns_of("a\u02ff") == 2);
  CHECK(columns_of("a\u0300") == 1);
  CHECK(columns_of("a\u036f") == 1);
  CHECK(columns_of("a\u0370") == 2);
  CHECK(columns_of("\u10ff") == 1);
  CHECK(columns_of("\u1100") == 2);
  CHECK(columns_of("\u115f") == 2);
  CHECK(columns_of("\U0001f2ff") == 1);
  CHECK(columns_of("\U0001f300") == 2);
  CHECK(columns_of("\U0003fffd") == 2);
  CHECK(columns_of("\U0010ffff") == 1);
}

TEST_CASE("where terminals disagree, the larger width counts") {
  CHECK(columns_of("\u2764\ufe0f") == 2);          // A heart, perhaps in colour.
  CHECK(columns_of("\U0001f1e9\U0001f1ea") == 4);  // A flag, perhaps as two letters.
}

TEST_CASE("a text that is too long loses its middle and keeps its extension") {
  CHECK(shortened("Big.Buck.Bunny.2008.mkv", 23) == "Big.Buck.Bunny.2008.mkv");
  CHECK(shortened("Big.Buck.Bunny.2008.mkv", 22) == "Big.Buck.Bu…y.2008.mkv");
  CHECK(shortened("Big.Buck.Bunny.2008.mkv", 11) == "Big.B…8.mkv");
  CHECK(shortened("abcdef", 3) == "a…f");
  CHECK(shortened("abcdef", 2) == "a…");
  CHECK(shortened("abcdef", 1) == "…");
  CHECK(shortened("abcdef", 0).empty());
}

TEST_CASE("a wide letter that does not fit is left out, and marks stay with their letter") {
  CHECK(shortened("語語語語語", 9) == "語語…語語");
  CHECK(shortened("語語語語語", 8) == "語語…語");
  CHECK(columns_of(shortened("語語語語語", 8)) == 7);
  CHECK(shortened("ae\u0301bcde\u0301f", 5) == "ae\u0301…e\u0301f");
  CHECK(cut("ae\u0301b", 2) == "a…");
  CHECK(cut("e\u0301\u0302bc", 2) == "e\u0301\u0302…");
  CHECK(shortened("\u0301abc", 2) == "\u0301a…");  // A mark with no letter.
}

TEST_CASE("aligned text takes exactly the columns it is given") {
  CHECK(left_aligned("語", 4) == "語  ");
  CHECK(right_aligned("語", 4) == "  語");
  CHECK(left_aligned("語語語", 4) == "語… ");
  CHECK(right_aligned("abcd", 4) == "abcd");
  CHECK(right_aligned("abcde", 4) == "abc…");
  CHECK(left_aligned("abc", 0).empty());
}

TEST_CASE("text that is not UTF-8 is not read beyond its end") {
  for (const std::string_view broken : {"\xf0", "\xe2\x82", "a\xc3", "\xff\xff", "\x80"})
    for (std::size_t columns = 0; columns < 4; ++columns)
      CHECK(columns_of(shortened(broken, columns)) <= 4);
}

}  // namespace
}  // namespace haul::cli

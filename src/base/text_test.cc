#include "base/text.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace haul {
namespace {

using namespace std::string_literals;

TEST_CASE("plain text of any script is printed as it is") {
  for (const std::string_view text :
       {"", "Film.2024.mkv", "Ошибка", "語", "e\u0301", "🎬", "a\u00a0b", "\u202f", "~", " "})
    CHECK(printable(text) == text);
}

TEST_CASE("T1, T2, T4: escape sequences are shown: title, clipboard, link, colour") {
  CHECK(printable("\x1b]0;pwn\x07") == R"(\u{1b}]0;pwn\u{7})");
  CHECK(printable("\x1b]52;c;cHdu\x07") == R"(\u{1b}]52;c;cHdu\u{7})");
  CHECK(printable("\x1b]8;;http://evil\x1b\\x") == R"(\u{1b}]8;;http://evil\u{1b}\x)");
  CHECK(printable("a\x1b[2J.mp4") == R"(a\u{1b}[2J.mp4)");
}

TEST_CASE("T6, T7: nothing moves the cursor back, and one value stays on one line") {
  CHECK(printable("\r100% done") == R"(\u{d}100% done)");
  CHECK(printable("no\b\byes") == R"(no\u{8}\u{8}yes)");
  CHECK(printable("a\nb\tc\vd\fe") == R"(a\u{a}b\u{9}c\u{b}d\u{c}e)");
  CHECK(printable("a\u2028b\u2029c") == R"(a\u{2028}b\u{2029}c)");
}

TEST_CASE("every control character is shown, and their neighbours are not") {
  for (int code = 0; code < 0x20; ++code)
    CHECK(printable(std::string(1, static_cast<char>(code))).starts_with("\\u{"));
  CHECK(printable("a\0b"s) == R"(a\u{0}b)");
  CHECK(printable(" ~\x7f") == R"( ~\u{7f})");
  CHECK(printable("\xc2\x80 \xc2\x9b \xc2\x9f") == R"(\u{80} \u{9b} \u{9f})");  // C1, CSI
  CHECK(printable("\xc2\xa0") == "\xc2\xa0");
}

TEST_CASE("T11: bidirectional overrides, embeddings, isolates and marks are shown") {
  CHECK(printable("photo\u202egpj.exe") == R"(photo\u{202e}gpj.exe)");
  for (const std::string_view steers : {"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066",
                                        "\u2067", "\u2068", "\u2069", "\u200e", "\u200f"})
    CHECK_MESSAGE(printable(steers).starts_with("\\u{20"), steers.size());
}

// Unicode gives twelve characters the property Bidi_Control; this is the twelfth.
TEST_CASE("T11: the Arabic letter mark is shown like the other marks") {
  CHECK(printable("\u061c") == R"(\u{61c})");
}

TEST_CASE("what has no width is shown: two names that look alike are told apart") {
  CHECK(printable("a\u200bb") == R"(a\u{200b}b)");
  CHECK(printable("a\u200cb\u200db") == R"(a\u{200c}b\u{200d}b)");
  CHECK(printable("a\u2060b") == R"(a\u{2060}b)");
  CHECK(printable("\ufeffa") == R"(\u{feff}a)");
}

TEST_CASE("a byte that is no UTF-8 is shown as that byte, and reading goes on after it") {
  CHECK(printable("a\xff\xfe"
                  "b") == R"(a\xff\xfeb)");
  CHECK(printable("\x80 \xbf") == R"(\x80 \xbf)");  // Continuation bytes without a lead byte.
  CHECK(printable("\xe2\x82") == R"(\xe2\x82)");    // Cut off at the end.
  CHECK(printable("\xe2\x82z") == R"(\xe2\x82z)");  // Cut off in the middle.
  CHECK(printable("\xf0\x9f\x8e") == R"(\xf0\x9f\x8e)");
}

TEST_CASE("an overlong form is no way to say a slash, a NUL or an escape") {
  CHECK(printable("\xc0\xaf") == R"(\xc0\xaf)");
  CHECK(printable("\xc1\xbf") == R"(\xc1\xbf)");
  CHECK(printable("\xc0\x80") == R"(\xc0\x80)");
  CHECK(printable("\xe0\x80\x9b") == R"(\xe0\x80\x9b)");
  CHECK(printable("\xe0\x9f\xbf") == R"(\xe0\x9f\xbf)");
  CHECK(printable("\xe0\xa0\x80") == "\xe0\xa0\x80");  // U+0800, the first that needs three bytes.
  CHECK(printable("\xf0\x8f\xbf\xbf") == R"(\xf0\x8f\xbf\xbf)");
  CHECK(printable("\xf0\x90\x80\x80") == "\xf0\x90\x80\x80");  // U+10000
}

TEST_CASE(
    "surrogates and what is beyond Unicode are shown byte by byte, their neighbours are not") {
  CHECK(printable("\xed\x9f\xbf") == "\xed\x9f\xbf");          // U+D7FF
  CHECK(printable("\xed\xa0\x80") == R"(\xed\xa0\x80)");       // U+D800
  CHECK(printable("\xed\xbf\xbf") == R"(\xed\xbf\xbf)");       // U+DFFF
  CHECK(printable("\xee\x80\x80") == "\xee\x80\x80");          // U+E000
  CHECK(printable("\xf4\x8f\xbf\xbf") == "\xf4\x8f\xbf\xbf");  // U+10FFFF
  CHECK(printable("\xf4\x90\x80\x80") == R"(\xf4\x90\x80\x80)");
  CHECK(printable("\xf5\x80\x80\x80") == R"(\xf5\x80\x80\x80)");
}

TEST_CASE("what is printable stays as it is when made printable again") {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  for (const std::string& text : {every_byte, "\x1b[2J\u202e"s, "C:\\new"s, "\xe2\x82"s}) {
    const std::string once = printable(text);
    CHECK(printable(once) == once);
  }
}

std::string_view like(std::string_view word) {
  static constexpr std::string_view kNames[] = {"book", "media", "batch", "item", "relay", "image"};
  return nearest(word, kNames);
}

TEST_CASE("nearest finds the name that was meant: a letter wrong, missing, too many, two swapped") {
  CHECK(like("media") == "media");
  CHECK(like("medla") == "media");
  CHECK(like("meda") == "media");
  CHECK(like("mediaa") == "media");
  CHECK(like("mdeia") == "media");
}

TEST_CASE("nearest says nothing when nothing is near: two letters off is near, three is not") {
  CHECK(like("bxxk") == "book");
  CHECK(like("bxxx") == "");
  CHECK(like("nope") == "");
  CHECK(like("") == "");
  CHECK(nearest("media", {}) == "");
}

TEST_CASE("nearest allows a long word a third of its letters, up to 64 of them") {
  const std::string name(63, 'a');
  const std::string_view names[] = {name};

  CHECK(nearest(std::string(42, 'a') + std::string(21, 'b'), names) == name);
  CHECK(nearest(std::string(41, 'a') + std::string(22, 'b'), names) == "");
  CHECK(nearest(std::string(64, 'a'), names) == name);
  CHECK(nearest(std::string(65, 'a'), names) == "");
}

TEST_CASE("of two names that are as near, the first is taken") {
  const std::string_view names[] = {"bat", "cat"};

  CHECK(nearest("xat", names) == "bat");
}

}  // namespace
}  // namespace haul

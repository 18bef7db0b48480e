#include "base/utf8.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

namespace haul {

TEST_CASE("N23, N24: overlong forms, surrogates, lone and missing bytes are not UTF-8") {
  for (const std::string_view broken :
       {"\x80", "\xbf", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf", "\xe0\x9f\xbf", "\xf0\x80\x80\xaf",
        "\xed\xa0\x80", "\xed\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xfe",
        "\xe2\x82", "\xc3", "\xf0\x9f\x8e", "a\xc3(", "\xe2(\xa1"})
    CHECK_FALSE_MESSAGE(is_utf8(broken), broken.size());
}

TEST_CASE("the first and the last code point of every length are UTF-8") {
  for (const std::string_view text :
       {"", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    CHECK_MESSAGE(is_utf8(text), text.size());
}

TEST_CASE("what is written is read again, and is UTF-8 but for surrogates") {
  CHECK(rc::check([] {
    const auto code = *rc::gen::inRange<std::uint32_t>(0, 0x110000);
    std::string text;
    append_utf8(text, code);
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    RC_ASSERT(is_utf8(text) == !surrogate);
    if (!surrogate) RC_ASSERT(first_code_point(text).code == code);
  }));
}

TEST_CASE("bytes that are not UTF-8 are read as Latin-1, whole") {
  CHECK(to_utf8("na\xc3\xafve") == "na\u00efve");
  CHECK(to_utf8("na\xefve") == "na\u00efve");
  CHECK(to_utf8("\xc3\xaf\xef") == "\u00c3\u00af\u00ef");
  CHECK(to_utf8("").empty());
}

TEST_CASE("controls and invisible characters end where their neighbours begin") {
  for (const std::uint32_t code : {0x0U, 0x1fU, 0x7fU, 0x80U, 0x9fU, 0x2028U, 0x2029U})
    CHECK(is_control(code));
  for (const std::uint32_t code : {0x20U, 0x7eU, 0xa0U, 0x2027U, 0x202aU})
    CHECK_FALSE(is_control(code));
  for (const std::uint32_t code :
       {0x61cU, 0x200bU, 0x200fU, 0x202aU, 0x202eU, 0x2060U, 0x206fU, 0xfeffU})
    CHECK(is_invisible(code));
  for (const std::uint32_t code : {0x61bU, 0x200aU, 0x2010U, 0x202fU, 0x205fU, 0x2070U})
    CHECK_FALSE(is_invisible(code));
}

}  // namespace haul

// Canonical forms of hosts, and hosts that are refused.

#include "base/hostname.h"

#include <doctest/doctest.h>

namespace haul {
namespace {

std::string host(std::string_view text) { return canonical_host(text).value_or("none"); }

}  // namespace

TEST_CASE("a name is lower case and loses one last dot") {
  CHECK(host("Example.COM") == "example.com");
  CHECK(host("example.com.") == "example.com");
  CHECK(host("example.com..") == "none");
  CHECK(host("my_host-1") == "my_host-1");
  CHECK(host("localhost") == "localhost");
}

TEST_CASE("labels are 1 to 63 of letters, digits, - and _; a name has at most 253") {
  const std::string label(63, 'a');
  CHECK(host(label) == label);
  CHECK(host(label + "a") == "none");
  const std::string three = label + "." + label + "." + label + ".";
  CHECK(host(three + std::string(61, 'b')).size() == 253);
  CHECK(host(three + std::string(62, 'b')) == "none");
  for (const char* text : {"", ".", ".a", "a..b", "-a", "a.-b", "a b", "a%41", "a/b", "a:b", "a@b",
                           "a!", "a*", "a'b", "a,b", "[a]", "[", "]", "[]"})
    CHECK_MESSAGE(host(text) == "none", text);
  CHECK(host(std::string_view{"a\0b", 3}) == "none");
}

TEST_CASE("U11, U12, U14: what ends in a number is an IPv4 address, or no host") {
  CHECK(host("2130706433") == "127.0.0.1");
  CHECK(host("127.1") == "127.0.0.1");
  CHECK(host("8.8.8.8") == "8.8.8.8");
  CHECK(host("010.8.8.8") == "8.8.8.8");
  CHECK(host("0") == "0.0.0.0");
  for (const char* text :
       {"256.1.1.1", "1.2.3.4.5", "4294967296", "a.1", "0x", "a.0x1", "1.2.3.08", "0x100000000"})
    CHECK_MESSAGE(host(text) == "none", text);
  CHECK(host("1.example") == "1.example");
  CHECK(host("1a") == "1a");
}

TEST_CASE("an IPv6 address is written in its shortest form, and has no zone") {
  CHECK(host("[2001:DB8:0:0::1]") == "[2001:db8::1]");
  CHECK(host("[::FFFF:7F00:1]") == "[::ffff:127.0.0.1]");
  for (const char* text : {"::1", "[fe80::1%25eth0]", "[fe80::1%eth0]", "[:::1]", "[1]",
                           "[127.0.0.1]", "[::1", "::1]", "[::1]x", "[[::1]]"})
    CHECK_MESSAGE(host(text) == "none", text);
}

TEST_CASE("a name in another script becomes what DNS knows") {
  CHECK(host("m\u00fcnchen.example") == "xn--mnchen-3ya.example");
  CHECK(host("M\u00dcNCHEN.example.") == "xn--mnchen-3ya.example");
  CHECK(host("mu\u0308nchen.example") == "xn--mnchen-3ya.example");
  CHECK(host("xn--mnchen-3ya.example") == "xn--mnchen-3ya.example");
  CHECK(host("例え。テスト") == "xn--r8jz45g.xn--zckzah");
  CHECK(host("stra\u00dfe.example") == "xn--strae-oqa.example");
}

TEST_CASE("U42, U43: a name that only looks foreign, or is no name in any script, is no host") {
  for (const char* text : {"①②⑦.⓪.⓪.①",
                           "ⓛocalhost",
                           "ｅｘａｍｐｌｅ.com",
                           "127。0。0。1",
                           "localhost\u200b",
                           "a\u00adb",
                           "exa\u2044mple.com",
                           "a\u202eb",
                           "\u00fc b",
                           "\u00fc/b",
                           "\u00fc@b",
                           "\u00fc:1",
                           "\xff.com",
                           "\u00fc..b",
                           "\ufeff",
                           "good.example\uff0fevil",
                           "\u2100.example",
                           "\u00fc.good\uff0fevil",
                           "\u00fc\u2100",
                           "\u00fc\uff20b",
                           "\u00fc\uff1a1",
                           "\u00fc.\uff05"})
    CHECK_MESSAGE(host(text) == "none", std::string{text});
  CHECK(host(std::string(100'000, '\xc3')) == "none");
}

}  // namespace haul

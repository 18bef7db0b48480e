// Names in Content-Disposition headers and in URLs.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <rapidcheck.h>

#include "base/utf8.h"
#include "hostile/names.h"
#include "io/file/filename.h"

namespace haul::io {
namespace {

using namespace std::string_literals;

std::string percent(const std::string& text) {
  std::string out;
  for (const char c : text) out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return out + "\"";
}

struct Sent {
  std::string_view header;
  std::string_view name;
};

void check(std::initializer_list<Sent> sent) {
  for (const auto& [header, name] : sent) CHECK_MESSAGE(disposition_name(header) == name, header);
}

}  // namespace

TEST_CASE("S2-24: a hostile name is harmless by every way it comes") {
  for (const auto& [id, wanted, safe, last] : testing::kHostileNames) {
    const std::string expected = last.empty() ? safe : last;
    CHECK_MESSAGE(safe_name(url_name("http://h/dir/" + percent(wanted) + "?q/x#f/y")) == expected,
                  id);
    CHECK_MESSAGE(safe_name(disposition_name("attachment; filename=" + quoted(wanted))) == expected,
                  id);
    CHECK_MESSAGE(
        safe_name(disposition_name("attachment; filename*=UTF-8''" + percent(wanted))) == expected,
        id);
  }
  for (const auto& [id, wanted, safe, last] : testing::kBrokenNames) {
    CHECK_MESSAGE(safe_name(url_name("http://h/" + percent(wanted))) == safe, id);
    CHECK_MESSAGE(disposition_name("x; filename=" + quoted(wanted)).find('/') == std::string::npos,
                  id);
  }
}

TEST_CASE("RFC 6266: quoted or a token, in any case, first one wins") {
  check({{"attachment; filename=\"a b.pdf\"", "a b.pdf"},
         {"attachment; filename=a.pdf", "a.pdf"},
         {"ATTACHMENT;FILENAME=a.pdf", "a.pdf"},
         {"inline; filename=\"a.pdf\"", "a.pdf"},
         {"attachment; filename = \"a.pdf\" ; size=3", "a.pdf"},
         {"attachment; x=\"filename=no.pdf\"; filename=a.pdf", "a.pdf"},
         {"attachment; x=\"a;filename=no.pdf\"; filename=a.pdf", "a.pdf"},
         {"attachment; filename=\"a;b.pdf\"", "a;b.pdf"},
         {"attachment; filename=\"a\\\"b\\\\c.pdf\"", "c.pdf"},
         {"attachment; filename=\"a\\\"b.pdf\"", "a\"b.pdf"},
         {"attachment; filename=a.pdf; filename=b.pdf", "a.pdf"},
         {"attachment; filename=\"\"; filename=b.pdf", "b.pdf"}});
}

TEST_CASE("H36, H37: filename* wins if its charset and its encoding are right") {
  check({{"attachment; filename=\"b.pdf\"; filename*=UTF-8''%e2%82%ac.pdf", "\u20ac.pdf"},
         {"attachment; filename*=utf-8'en'%e2%82%ac.pdf; filename=b.pdf", "\u20ac.pdf"},
         {"attachment; filename*=\"UTF-8''%e2%82%ac.pdf\"", "\u20ac.pdf"},
         {"attachment; filename*=iso-8859-1'en'%A3", "\u00a3"},
         {"attachment; filename*=UTF-8''a%2fb.pdf", "b.pdf"},
         {"attachment; filename*=UTF-8''; filename=b.pdf", "b.pdf"},
         {"attachment; filename*=koi8-r''%A3; filename=b.pdf", "b.pdf"},
         {"attachment; filename*=UTF-8''%A3; filename=b.pdf", "b.pdf"},
         {"attachment; filename*=UTF-8''%4; filename=b.pdf", "b.pdf"},
         {"attachment; filename*=UTF-8''100%; filename=b.pdf", "b.pdf"},
         {"attachment; filename*=UTF-8'a.pdf; filename=b.pdf", "b.pdf"},
         {"attachment; filename*=a.pdf", ""},
         {"attachment; filename*=bad; filename*=UTF-8''a.pdf", "a.pdf"}});
}

TEST_CASE(
    "what servers send though no RFC knows it: raw bytes, words of mail, percent, no quotes") {
  check({{"attachment; filename=\"na\xc3\xafve.txt\"", "na\u00efve.txt"},
         {"attachment; filename=\"na\xefve.txt\"", "na\u00efve.txt"},
         {"attachment; filename=\"=?UTF-8?B?4oKsLnBkZg==?=\"", "\u20ac.pdf"},
         {"attachment; filename=\"=?utf-8?q?=E2=82=AC_1.pdf?=\"", "\u20ac 1.pdf"},
         {"attachment; filename=\"=?ISO-8859-1?Q?=A3?= =?UTF-8?Q?5.txt?=\"", "\u00a35.txt"},
         {"attachment; filename=\"=?UTF-8?Q?a?= b.txt\"", "a b.txt"},
         {"attachment; filename=\"=?koi8-r?Q?a?=\"", "=?koi8-r?Q?a?="},
         {"attachment; filename=\"=?UTF-8?X?a?=.txt\"", "=?UTF-8?X?a?=.txt"},
         {"attachment; filename=\"=?UTF-8?B?\"", "=?UTF-8?B?"},
         {"attachment; filename=\"%e2%82%ac.pdf\"", "\u20ac.pdf"},
         {"attachment; filename=\"%ff.pdf\"", "%ff.pdf"},
         {"attachment; filename=\"100%.pdf\"", "100%.pdf"},
         {"attachment; filename=\"%41.pdf\"; filename*=bad", "%41.pdf"},
         {"attachment; filename=a b c.pdf", "a b c.pdf"},
         {"attachment; filename='a b.pdf';", "a b.pdf"},
         {"attachment; filename=\"a.pdf", "a.pdf"},
         {"filename=a.pdf", "a.pdf"}});
}

TEST_CASE("H34: a name in a header is the last component after either slash") {
  check({{"attachment; filename=\"../../x\"", "x"},
         {"attachment; filename=C:\\dir\\x.txt", "x.txt"},
         {"attachment; filename=\"%2e%2e%2fx\"", "x"},
         {"attachment; filename=\"dir/\"", ""}});
  CHECK(disposition_name("x; filename=\"a\0b\""s) == "ab");
}

TEST_CASE("a header without a name gives none") {
  check({{"", ""},
         {"attachment", ""},
         {"attachment;", ""},
         {";;;", ""},
         {"=", ""},
         {"attachment; filename", ""},
         {"attachment; filename=", ""},
         {"attachment; filename=\"", ""},
         {"attachment; filename=\"\\", ""},
         {"attachment; name=a.pdf", ""}});
}

TEST_CASE("any header is read to its end, and names a component in UTF-8 or none") {
  const std::string alphabet = "a=?;'\"\\/%4fBQ_* \0\xc3\xbc\xff"s;
  CHECK(rc::check([&] {
    const auto bytes = *rc::gen::container<std::string>(rc::gen::elementOf(alphabet));
    for (const char* before : {"", "a; filename=", "a; filename=\"", "a; filename*=UTF-8''",
                               "a; filename=\"=?UTF-8?B?", "a; filename*=iso-8859-1'"}) {
      const std::string name = disposition_name(before + bytes);
      RC_ASSERT(is_utf8(name));
      RC_ASSERT(name.find_first_of("/\\") == std::string::npos);
    }
  }));
}

TEST_CASE("the name in an address is its last segment, decoded, without query and fragment") {
  CHECK(url_name("https://h/a/b%20c.mp4?x=/y.jpg#/z.png") == "b c.mp4");
  CHECK(url_name("https://h/b.mp4#f?q") == "b.mp4");
  CHECK(url_name("https://h/100%.mp4") == "100%.mp4");
  CHECK(url_name("https://h/a+b.mp4") == "a+b.mp4");
  CHECK(url_name("https://h/%252e%252e") == "%2e%2e");
  CHECK(url_name("https://h/..%2f..%5cx") == "x");
  CHECK(url_name("https://h/a%00b") == "ab");
  for (const char* url : {"https://h", "https://h/", "https://h?a/b", "https://h#a/b",
                          "https://h/a/", "", "magnet:?xt=a/b", "a/b.mp4"})
    CHECK_MESSAGE(url_name(url).empty(), url);
}

}  // namespace haul::io

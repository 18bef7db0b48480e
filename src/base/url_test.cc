// Canonical URLs, refused ones, and references joined to a base.

#include "base/url.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "hostile/urls.h"

namespace haul {
namespace {

// The canonical URL, or the code of the refusal.
std::string shown(const Result<Url>& url) { return url ? url->text : url.error().code; }

std::string canonical(std::string_view text) { return shown(parse_url(text)); }

std::string joined(std::string_view base, std::string_view reference) {
  return shown(join_url(parse_url(base).value(), reference));
}

}  // namespace

TEST_CASE("list U: an address that is not one for us is refused with its code") {
  for (const auto& [id, text, code] : testing::kRefusedUrls) {
    const Result<Url> url = parse_url(text);
    CHECK_MESSAGE(shown(url) == code, id << " " << text.substr(0, 60));
    if (url) continue;
    CHECK_MESSAGE(url.error().kind == FaultKind::rejected, id);
    CHECK_MESSAGE(!url.error().detail.empty(), id);
  }
}

TEST_CASE("U11 to U27: an address in disguise is read as what it stands for") {
  for (const auto& [id, text, host] : testing::kPrivateUrls) {
    const Result<Url> url = parse_url(text);
    REQUIRE_MESSAGE(url.has_value(), id);
    CHECK_MESSAGE(url->host == host, id);
  }
}

TEST_CASE("S2-29, U48: scheme and host are lower case, default ports and fragments go") {
  CHECK(canonical("HTTP://HOST") == "http://host/");
  CHECK(canonical("https://Example.COM:443/A?B=C#D") == "https://example.com/A?B=C");
  CHECK(canonical("http://h:80/") == "http://h/");
  CHECK(canonical("http://h:443/") == "http://h:443/");
  CHECK(canonical("https://h:80/") == "https://h:80/");
  CHECK(canonical("http://h:/x") == "http://h/x");
  CHECK(canonical("http://h:08080/") == "http://h:8080/");
  CHECK(canonical("http://h.example./") == "http://h.example/");
  CHECK(canonical("http://h?a=1") == "http://h/?a=1");
  CHECK(canonical("http://h#a") == "http://h/");
  CHECK(canonical("http://h/#a?b") == "http://h/");
}

// libcurl always reads a URL with dot segments, so this compares haul's own reading with libcurl's.
TEST_CASE("what is plain is read as libcurl reads it") {
  constexpr std::string_view kPlain = "abzAZ09/-_~?=&..";
  CHECK(rc::check([&] {
    const auto picked =
        *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, static_cast<int>(kPlain.size())));
    std::string rest;
    for (const int at : picked) rest += kPlain[static_cast<std::size_t>(at)];
    RC_ASSERT(canonical("http://h/" + rest) == canonical("http://h/x/../" + rest));
  }));
}

TEST_CASE("S2-29: dot segments are resolved in the path, never above it, not in the query") {
  CHECK(canonical("http://h/a/./b/../c") == "http://h/a/c");
  CHECK(canonical("http://h/../../x") == "http://h/x");
  CHECK(canonical("http://h/a/..") == "http://h/");
  CHECK(canonical("http://h/a?x=/../b") == "http://h/a?x=/../b");
  CHECK(canonical("http://h/a..b/...") == "http://h/a..b/...");
}

TEST_CASE("what is beyond ASCII is encoded after the host, what was encoded stays as it was") {
  CHECK(canonical("http://h/\u00fc?\u00fc#\u00fc") == "http://h/%C3%BC?%C3%BC");
  CHECK(canonical("http://h/\xff") == "http://h/%FF");
  CHECK(canonical("http://h/%c3%bc%2f%41") == "http://h/%c3%bc%2f%41");
  CHECK(canonical("http://h/100%") == "http://h/100%");
}

TEST_CASE("U: globs of curl are literal") {
  CHECK(canonical("http://h/[1-1000000]") == "http://h/[1-1000000]");
  CHECK(canonical("http://h/{a,b}?{c}") == "http://h/{a,b}?{c}");
}

TEST_CASE("U38: user and password are decoded and kept apart from the text") {
  const Url url = parse_url("http://us%40er:p%3Ass@Host:81/x").value();

  CHECK(url.user == "us@er");
  CHECK(url.password == "p:ss");
  CHECK(url.text == "http://host:81/x");
  CHECK(url.origin() == "http://host:81");
  CHECK(url.port == "81");
  CHECK(url.path_and_query == "/x");
  CHECK(parse_url("http://@h/").value().user.empty());
}

TEST_CASE("U38: a refusal does not repeat the address, which may hold a password") {
  for (const char* text : {"ftp://u:secret@h/", "http://u:secret@h:0/", "http://u:secret@h\\/",
                           "http://u:secret@h h/", "http://u:secret@/", "http://u:secret@@h/"})
    CHECK_MESSAGE(parse_url(text).error().detail.find("secret") == std::string::npos, text);
}

TEST_CASE("U45: the edges of ports, and the neighbours of one that is not for HTTP") {
  CHECK(canonical("http://h:1/") == "bad_url_port");
  CHECK(canonical("http://h:2/") == "http://h:2/");
  CHECK(canonical("http://h:24/") == "http://h:24/");
  CHECK(canonical("http://h:25/") == "bad_url_port");
  CHECK(canonical("http://h:27017/") == "bad_url_port");
  CHECK(canonical("http://h:65535/") == "http://h:65535/");
}

TEST_CASE("U47: 8 KiB are read, a byte more is refused, also if only encoding makes it longer") {
  const std::string start = "http://h/";
  CHECK(canonical(start + std::string(8'192 - start.size(), 'a')).size() == 8'192);
  CHECK(canonical(start + std::string(8'193 - start.size(), 'a')) == "url_too_long");
  CHECK(canonical(start + std::string(3'000, '\xff')) == "url_too_long");
}

TEST_CASE("a canonical address stays as it is, and is printable ASCII") {
  const std::string alphabet = "/.?#%@:[]aF0-_~&={}|;+,\xc3\xbc\x80";
  CHECK(rc::check([&] {
    const auto rest = *rc::gen::container<std::string>(rc::gen::elementOf(alphabet));
    for (const char* before : {"http://h/", "http://", "http://h?", "http://u:p@", "https://h:8"}) {
      const Result<Url> url = parse_url(before + rest);
      if (!url) continue;
      RC_ASSERT(std::ranges::all_of(url->text, [](char c) { return c > ' ' && c < 0x7f; }));
      RC_ASSERT(canonical(url->text) == url->text);
      RC_ASSERT(url->text == url->origin() + url->path_and_query);
    }
  }));
}

TEST_CASE("a reference is joined to its base") {
  const char* base = "http://h:81/a/b?c=/d/e";
  CHECK(joined(base, "x") == "http://h:81/a/x");
  CHECK(joined(base, "./x/../y") == "http://h:81/a/y");
  CHECK(joined(base, "../../x") == "http://h:81/x");
  CHECK(joined(base, "/x?y") == "http://h:81/x?y");
  CHECK(joined(base, "?y=/z") == "http://h:81/a/b?y=/z");
  CHECK(joined(base, "#f") == "http://h:81/a/b?c=/d/e");
  CHECK(joined(base, "//Other/x") == "http://other/x");
  CHECK(joined("https://h/", "//other:443/x") == "https://other/x");
  CHECK(joined(base, "HTTPS://other") == "https://other/");
  CHECK(joined(base, "x/a:b") == "http://h:81/a/x/a:b");
  CHECK(joined(base, "?a:b") == "http://h:81/a/b?a:b");
}

TEST_CASE("a reference may have blanks around and inside, as servers send them") {
  CHECK(joined("http://h/", "  a b.mp4\r\n") == "http://h/a%20b.mp4");
  CHECK(joined("http://h/", "\u00fc.mp4") == "http://h/%C3%BC.mp4");
  CHECK(joined("http://h/", "//a b/") == "bad_url_host");
}

TEST_CASE("U7, U32, U40: a reference is judged like any address") {
  for (const char* reference :
       {"javascript:alert(1)", "file:///etc/passwd", "data:,x", "a:b", "mailto:a@h", "FTP://h/"})
    CHECK_MESSAGE(joined("http://h/", reference) == "bad_url_scheme", reference);
  CHECK(joined("http://h/", "/\\evil.example/") == "bad_url_character");
  CHECK(joined("http://h/", "a\nb") == "bad_url_character");
  CHECK(joined("http://h/", "///x") == "bad_url_host");
  CHECK(joined("http://h/", "http:x") == "bad_url");
  CHECK(joined("http://h/", "") == "bad_url");
  CHECK(joined("http://h/", "  ") == "bad_url");
  CHECK(joined("http://h/", std::string(9'000, 'a')) == "url_too_long");
}

TEST_CASE("U37: the user goes along within the origin and nowhere else") {
  const Url base = parse_url("https://u:p@h/").value();
  CHECK(join_url(base, "/x").value().user == "u");
  CHECK(join_url(base, "https://H:443/x").value().password == "p");
  for (const char* elsewhere : {"https://h:444/", "http://h/", "https://i/", "//h.h/"})
    CHECK_MESSAGE(join_url(base, elsewhere).value().user.empty(), elsewhere);
  CHECK(join_url(base, "https://v:q@h/").value().user == "v");
}

}  // namespace haul

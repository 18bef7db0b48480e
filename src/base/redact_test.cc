#include "base/redact.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

namespace haul {
namespace {

// Looks like a real secret, and is too long to appear in random text by chance.
const std::string kSecret = "s3cr3tCANARY0123456789";

struct Carrier {
  const char* before;
  const char* after;
};
constexpr Carrier kCarriers[] = {
    {"GET https://user:", "@host/path failed"},
    {"proxy socks5h://", "@10.0.0.1:1080 refused"},
    {"https://h/a?token=", "&x=1"},
    {"https://h/a?x=1&api_key=", ""},
    {"https://h/a?apikey=", "#top"},
    {"https://s3/b/k?X-Amz-Signature=", "&X-Amz-Date=20261115"},
    {"https://s3/b/k?X-Amz-Credential=", " 403"},
    {"https://s3/b/k?X-Amz-Security-Token=", ""},
    {"https://h/a?sig=", "&se=2026"},
    {"https://h/a?password=", ""},
    {"POST https://api.telegram.org/bot123456:", "/sendDocument: 400"},
    {"Authorization: Bearer ", ""},
    {"authorization: Basic ", "\nnext line"},
    {"Authorization: OAuth ", ""},
    {"sent bearer ", " to the host"},
    {"X-Api-Key: ", ""},
    {"Cookie: session=", "; theme=dark"},
    {"Set-Cookie: sid=", "; HttpOnly"},
    {"{\"access_token\": \"", "\"}"},
    {"client_secret=", "&grant_type=refresh_token"},
    {"https://h/?u=https%3A%2F%2Fh%2F%3Ftoken%3D", ""},
    {"https://h/?u=https%3A%2F%2Fh%2F%3Fa%3D1%26sig%3D", "&x=1"},
    {"https://h/?u=https%253A%252F%252Fh%252F%253Fkey%253D", ""},
    {"https://h/?u=http%3a%2f%2fuser%3a", "%40h%2fx"},
    {"https://h/?u=http%3A//user:", "%40h/x"},
    {"https://h/?u=https%3A%2F%2Fh%2F%23", "&x=1"},
    {"https://h/file#", ""},
    {"https://h/bot123:", ""},
    {"https://h:8080/bot123:", "/x"},
    {"https://h/token:", ""},
    {"https://token:", "/x"},
    {"https://h/#!id!", " 404"},
};

bool is_safe_text(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x20; });
}

}  // namespace

TEST_CASE("F52: no carrier of a secret keeps it") {
  for (const Carrier& carrier : kCarriers) {
    CAPTURE(carrier.before);
    const std::string kept = safe_detail(carrier.before + kSecret + carrier.after);
    CHECK(kept.find(kSecret) == std::string::npos);
    CHECK(kept.find("***") != std::string::npos);
  }
}

TEST_CASE("text that is not a secret stays unchanged") {
  for (const char* text :
       {"HTTP 404 for https://example.org/a/b.bin?page=2", "disk full: 12 of 40 bytes written",
        "https://example.org/@someone/post", "https://example.org:8080/a-b_c~d/e.bin",
        "the monkey key is under the mat", "no basic idea",
        "https://h/a%23b-and-many-more-letters.pdf", "https://h/?u=https%3A%2F%2Fh%2Fa%3Fpage%3D2",
        "https://h/?u=https%3A%2F%2Fh%2F%3Fmail%3Da%40b", "number #1234567890123456789"})
    CHECK(safe_detail(text) == text);
  CHECK(safe_detail("").empty());
}

TEST_CASE("promise 22: whatever comes, a detail is one bounded printable line without secrets") {
  CHECK(rc::check([](const std::string& before, const std::string& after) {
    const Carrier& carrier = kCarriers[*rc::gen::inRange<std::size_t>(0, std::size(kCarriers))];
    const std::string text = before + " " + carrier.before + kSecret + carrier.after + " " + after;
    const std::string kept = safe_detail(text);
    RC_ASSERT(kept.find(kSecret) == std::string::npos);
    RC_ASSERT(kept.size() <= 1'000U);
    RC_ASSERT(is_safe_text(kept));
    RC_ASSERT(safe_detail(kept) == kept);
  }));
}

TEST_CASE("promise 22: whatever comes, a reason is short snake_case, and a good one is kept") {
  CHECK(rc::check([](const std::string& code) {
    const std::string kept = safe_reason(code);
    RC_ASSERT(!kept.empty() && kept.size() <= 64U);
    RC_ASSERT(kept.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos);
    RC_ASSERT(safe_reason(kept) == kept);
  }));
  CHECK(safe_reason("http_404") == "http_404");
  CHECK(safe_reason("") == "unknown");
  CHECK(safe_reason("Bad Gateway\n") == "bad_gateway_");
  CHECK(safe_reason(std::string(64, 'a')).size() == 64);
  CHECK(safe_reason(std::string(65, 'a')).size() == 64);
}

TEST_CASE("a fragment of 16 characters stays, one of 17 does not, and one with a name keeps it") {
  const std::string sixteen(16, 'f');
  CHECK(redacted("https://h/a#" + sixteen) == "https://h/a#" + sixteen);
  CHECK(redacted("https://h/a#" + sixteen + "f") == "https://h/a#***");
  CHECK(redacted("https://h/a#page=" + sixteen + "f") == "https://h/a#page=" + sixteen + "f");
}

TEST_CASE("a detail that is cut shows no part of the word that the cut is in") {
  const std::string long_secret(9'000, 's');
  CHECK(safe_detail("GET https://user:" + long_secret + "@host/") == "GET");
  CHECK(safe_detail("https://user:" + long_secret + "@host/") == "***");
  const std::string words = std::string(4'000, 'a') + " " + std::string(3'999, 'b');
  CHECK(words.size() == 8'000);
  CHECK(safe_detail(words) == std::string(1'000, 'a'));
  CHECK(safe_detail(words + "b") == std::string(1'000, 'a'));
}

TEST_CASE("F52: JSON is redacted string by string, and what has no secret stays to the byte") {
  for (const char* json :
       {"", "{}", R"({"url":"http://h/a?page=1","n":1.50,"list":[null,true, "x\n\"y\""]})",
        R"({"key":"file","note":"\u00e9"})"})
    CHECK(redacted_json(json) == json);
  CHECK(redacted_json(R"({"a":"Cookie: canary","b":["http://h/?sig=canary&x=1"],"n":1})") ==
        R"({"a":"Cookie: ***","b":["http://h/?sig=***&x=1"],"n":1})");
  CHECK(redacted_json(R"(["say \"hi\"?token\u003dcanary"])") == R"(["say \"hi\"?token=***"])");
  CHECK(redacted_json(R"(["token=canary)").find("canary") == std::string::npos);
}

TEST_CASE("a detail of 1,000 bytes is kept whole, a longer one is cut between characters") {
  CHECK(safe_detail(std::string(1'000, 'a')).size() == 1'000);
  CHECK(safe_detail(std::string(1'001, 'a')).size() == 1'000);
  CHECK(safe_detail(std::string(999, 'a') + "é").size() == 999);
}

}  // namespace haul

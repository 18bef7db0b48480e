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

TEST_CASE("what is no secret stays as it is") {
  for (const char* text :
       {"HTTP 404 for https://example.org/a/b.bin?page=2", "disk full: 12 of 40 bytes written",
        "https://example.org/@someone/post", "the monkey key is under the mat", "no basic idea"})
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

TEST_CASE("a detail of 1,000 bytes is kept whole, a longer one is cut between characters") {
  CHECK(safe_detail(std::string(1'000, 'a')).size() == 1'000);
  CHECK(safe_detail(std::string(1'001, 'a')).size() == 1'000);
  CHECK(safe_detail(std::string(999, 'a') + "é").size() == 999);
}

}  // namespace haul

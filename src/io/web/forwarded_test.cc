// Which address a request comes from behind trusted proxies.

#include "io/web/forwarded.h"

#include <doctest/doctest.h>

namespace haul::io {
namespace {

const std::vector<Network> kProxies{Network::parse("10.0.0.0/8").value(),
                                    Network::parse("::1").value()};

std::string seen(const std::string& peer, const WebFields& headers) {
  return forwarded_address(peer, headers, kProxies);
}
std::string seen_for(const std::string& forwarded_for) {
  return seen("10.0.0.1", {{"x-forwarded-for", forwarded_for}});
}

}  // namespace

TEST_CASE("without trusted proxies, or from another address, forwarded headers mean nothing") {
  const WebFields headers{{"x-forwarded-for", "192.0.2.7"}, {"forwarded", "for=192.0.2.8"}};

  CHECK(forwarded_address("10.0.0.1", headers, {}) == "10.0.0.1");
  CHECK(seen("192.0.2.1", headers) == "192.0.2.1");
  CHECK(seen("11.0.0.1", headers) == "11.0.0.1");
  CHECK(seen("10.0.0.1", {}) == "10.0.0.1");
}

TEST_CASE("behind a trusted proxy the last address that is no proxy counts") {
  CHECK(seen_for("192.0.2.7") == "192.0.2.7");
  CHECK(seen_for("198.51.100.1, 192.0.2.7") == "192.0.2.7");  // The client wrote the first.
  CHECK(seen_for("198.51.100.1, 192.0.2.7, 10.9.9.9") == "192.0.2.7");
  CHECK(seen_for("10.0.0.3, 10.0.0.2") == "10.0.0.3");
  CHECK(seen("10.0.0.1", {{"x-forwarded-for", "192.0.2.7"}, {"x-forwarded-for", "10.0.0.2"}}) ==
        "192.0.2.7");
}

TEST_CASE("ports and brackets are left out, and an address has one spelling") {
  CHECK(seen_for("192.0.2.7:4711") == "192.0.2.7");
  CHECK(seen_for("[2001:db8::1]:4711") == "2001:db8::1");
  CHECK(seen_for("2001:DB8:0:0::1") == "2001:db8::1");
  CHECK(seen("::1", {{"x-forwarded-for", "[2001:db8::1]"}}) == "2001:db8::1");
}

TEST_CASE("text that is not an address ends the search at the proxy that sent it") {
  for (const char* bad : {"", "unknown", "_hidden", "evil.example", "192.0.2.7:", "192.0.2.7:x",
                          "[2001:db8::1", "[2001:db8::1]x", "192.0.2.7 10.0.0.2", "1.2.3.4:123456"})
    CHECK_MESSAGE(seen_for(bad) == "10.0.0.1", bad);
  CHECK(seen_for("192.0.2.7, unknown, 10.0.0.2") == "10.0.0.2");
}

TEST_CASE("Forwarded is read where X-Forwarded-For is missing") {
  const auto by_standard = [](const std::string& value) {
    return seen("10.0.0.1", {{"forwarded", value}});
  };
  CHECK(by_standard("for=192.0.2.7;proto=https;by=10.0.0.1") == "192.0.2.7");
  CHECK(by_standard(R"(proto=https; For="[2001:db8::1]:4711")") == "2001:db8::1");
  CHECK(by_standard("for=198.51.100.1, for=192.0.2.7, for=10.0.0.2") == "192.0.2.7");
  CHECK(by_standard("for=192.0.2.7, proto=https") == "10.0.0.1");
  CHECK(by_standard("for=unknown") == "10.0.0.1");
}

TEST_CASE("headers that disagree are not believed: a client may have sent one of them") {
  CHECK(seen("10.0.0.1", {{"x-forwarded-for", "192.0.2.7"}, {"forwarded", "for=192.0.2.8"}}) ==
        "10.0.0.1");
  CHECK(seen("10.0.0.1", {{"x-forwarded-for", "192.0.2.7"}, {"forwarded", "for=192.0.2.7"}}) ==
        "192.0.2.7");
}

}  // namespace haul::io

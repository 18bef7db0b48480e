#include "app/listen.h"

#include <doctest/doctest.h>

using namespace haul;

namespace {

std::string read(const std::string& text) {
  const auto at = listen_at(text);
  return at ? at->address + " " + std::to_string(at->port) : at.error().code;
}

}  // namespace

TEST_CASE("an address to listen at has a port, and brackets where it has colons") {
  CHECK(read("127.0.0.1:4285") == "127.0.0.1 4285");
  CHECK(read("[::1]:0") == "::1 0");
  CHECK(read("0.0.0.0:65535") == "0.0.0.0 65535");
  for (const char* bad :
       {"", "127.0.0.1", ":4285", "127.0.0.1:", "h:65536", "h:-1", "h:1x", "h:123456"})
    CHECK(read(bad) == "bad_config");
}

TEST_CASE("people are told an address that a browser can open") {
  CHECK(shown_address({"127.0.0.1", 0}, 7) == "http://127.0.0.1:7/");
  CHECK(shown_address({"::1", 0}, 7) == "http://[::1]:7/");
  CHECK(shown_address({"0.0.0.0", 0}, 7) == "http://localhost:7/");
  CHECK(shown_address({"::", 0}, 7) == "http://localhost:7/");
}

TEST_CASE("a list of networks is refused with its key, its place and the value") {
  CHECK(networks_in("server.trusted_proxies", {"10.0.0.0/8", "::1"})->size() == 2);
  CHECK(networks_in("server.trusted_proxies", {})->empty());
  const auto bad = networks_in("server.trusted_proxies", {"10.0.0.0/8", "banana"});
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().detail ==
        "server.trusted_proxies[1]: \"banana\" is not an address or CIDR range (expected e.g. "
        "10.0.0.0/8)");
}

#include "app/listen.h"

#include <doctest/doctest.h>

using namespace haul;

namespace {

std::string read(const std::string& text) {
  const auto at = app::listen_at(text);
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
  CHECK(app::shown_address({"127.0.0.1", 0}, 7) == "http://127.0.0.1:7/");
  CHECK(app::shown_address({"::1", 0}, 7) == "http://[::1]:7/");
  CHECK(app::shown_address({"0.0.0.0", 0}, 7) == "http://localhost:7/");
  CHECK(app::shown_address({"::", 0}, 7) == "http://localhost:7/");
}

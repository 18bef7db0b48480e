#include "base/link_refusal.h"

#include <doctest/doctest.h>

#include <string>

namespace haul {

TEST_CASE(
    "a status 4xx, a page, a private address and a proxy refuse a link, and no other fault does") {
  const auto refuses = [](std::string code) {
    return refuses_link({FaultKind::permanent, std::move(code), {}});
  };

  for (const char* code :
       {"http_400", "http_401", "http_403", "http_404", "http_410", "http_451", "page_instead",
        "private_address", "proxy_refused", "proxy_login", "bad_proxy"})
    CHECK(refuses(code));
  for (const char* code : {"http_500", "http_501", "http", "checksum_mismatch", "size_mismatch",
                           "unexpected_content", ""})
    CHECK_FALSE(refuses(code));
}

}  // namespace haul

#include "base/header_field.h"

#include <doctest/doctest.h>

namespace haul {

TEST_CASE("a header's name is what stands before its colon, without blanks") {
  CHECK(header_name("Referer: https://h/") == "Referer");
  CHECK(header_name("X-Empty;") == "X-Empty");
  CHECK(header_name(" Transfer-Encoding : chunked") == "Transfer-Encoding");
  CHECK(header_name("nothing") == "nothing");
  CHECK(header_name("").empty());
}

TEST_CASE("framing, routing and connection headers are reserved in any case; others are not") {
  for (const char* name : {"Content-Length", "transfer-encoding", "HOST", "Connection", "TE",
                           "Trailer", "Upgrade", "Keep-Alive", "Proxy-Connection", "Expect",
                           "Proxy-Authorization", "Range", "If-Range", "HTTP2-Settings"})
    CHECK_MESSAGE(is_reserved_header(name), name);
  for (const char* name : {"", "Referer", "Authorization", "Cookie", "Content-Lengths", "X-Host",
                           "Accept", "Accept-Encoding"})
    CHECK_MESSAGE(!is_reserved_header(name), name);
}

}  // namespace haul

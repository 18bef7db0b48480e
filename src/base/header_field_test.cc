#include "base/header_field.h"

#include <doctest/doctest.h>

namespace haul {

TEST_CASE("a header is a name, a colon and a value, of 8 KiB at most and on one line") {
  const std::string longest = "A:" + std::string(8'190, 'x');
  for (const std::string fine : {"Referer: https://h/", "X-Empty:", "A:b", longest.c_str()})
    CHECK_MESSAGE(wrong_with_header(fine).empty(), fine);
  for (const std::string bad :
       {"", "nothing", "X-Empty;", ": value", " A: b", "A : b", "A: b\r\nC: d"})
    CHECK_MESSAGE(!wrong_with_header(bad).empty(), bad);
  CHECK(wrong_with_header(longest + "x") == "at most 8192 bytes");
  CHECK_FALSE(wrong_with_header(std::string_view{"A: b\0c", 6}).empty());
  CHECK(wrong_with_header("te: trailers") == "haul sets this header itself; leave it out");
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

// Which heads of requests the server refuses.

#include "io/web/http_head.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>

namespace haul::io {
namespace {

int status_of(const std::string& raw) {
  const auto refusal = check_head(raw);
  return refusal ? refusal->status : 0;
}
int with(const std::string& headers) {
  return status_of("GET /x HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n");
}

TEST_CASE("an ordinary head passes") {
  CHECK(with("") == 0);
  CHECK(with("Content-Length: 3\r\nX: \t a\r\n") == 0);
  CHECK(with("Transfer-Encoding: Chunked\r\n") == 0);
  CHECK(status_of("POST / HTTP/1.0\r\nHOST: h\r\n\r\n") == 0);
}

TEST_CASE("one Host, no more and no less") {
  CHECK(status_of("GET / HTTP/1.1\r\n\r\n") == 400);
  CHECK(with("host: h\r\n") == 400);
}

TEST_CASE("what two readers may read in two ways is refused") {
  CHECK(with("X: a\r\n b\r\n") == 400);  // Continues in the next line.
  CHECK(with("X: a\r\n\tb\r\n") == 400);
  CHECK(with("X: a\nY: b\r\n") == 400);  // A line that ends in LF alone.
  CHECK(with("X: a\rY: b\r\n") == 400);  // A line that ends in CR alone.
  CHECK(with(std::string{"X: a\0b\r\n", 8}) == 400);
  CHECK(with(": a\r\n") == 400);
  CHECK(with("nothing\r\n") == 400);
  CHECK(with("Content-Length: 3\r\nContent-Length: 3\r\n") == 400);
  CHECK(with("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n") == 400);
  CHECK(with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n") == 400);
  for (const char* coding :
       {"gzip", "gzip, chunked", "chunked, chunked", "identity", "", "xchunked"})
    CHECK_MESSAGE(with(fmt::format("Transfer-Encoding: {}\r\n", coding)) == 501, coding);
}

TEST_CASE("a request line has three words and a supported version") {
  for (const char* line : {"GET /", "GET  / HTTP/1.1", "GET / HTTP/1.1 ", "GET / HTTP/2.0",
                           "GET / http/1.1", "GET / HTTP/1.10", "GET / x HTTP/1.1", ""})
    CHECK_MESSAGE(status_of(fmt::format("{}\r\nHost: h\r\n\r\n", line)) == 400, line);
  CHECK(status_of("no end") == 400);
}

TEST_CASE("promise 17: a target of 8 KiB and a hundred headers, and one more") {
  const auto target = [](std::size_t size) {
    return status_of("GET /" + std::string(size - 1, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n");
  };
  CHECK(target(8'192) == 0);
  CHECK(target(8'193) == 414);
  std::string headers;
  for (int i = 1; i < 100; ++i) headers += "X: a\r\n";
  CHECK(with(headers) == 0);
  CHECK(with(headers + "X: a\r\n") == 431);
}

}  // namespace
}  // namespace haul::io

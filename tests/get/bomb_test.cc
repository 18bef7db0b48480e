// F35, F36: endless bodies and bodies that expand without end, against the real program.

#include <doctest/doctest.h>

#include <string>

#include "support/io/packed.h"
#include "support/process/get_bench.h"
#include "support/server/canned_server.h"

using namespace haul::testing;

namespace {

constexpr std::size_t kMiB = 1 << 20;

}  // namespace

TEST_CASE("F35: a body of a kilobyte that stands for a gigabyte fails, and the others arrive") {
  // Eight gzip members of 128 MiB of zeros, compressed a second time, are small.
  std::string inner;
  for (int i = 0; i < 8; ++i) inner += packed(std::string(128 * kMiB, '\0'));
  const std::string bomb = packed(inner);
  const CannedServer server{[&](std::string_view path) {
    return path == "/bomb" ? canned(bomb, "Content-Encoding: gzip, gzip\r\n")
                           : canned("here", "Content-Encoding: identity\r\n");
  }};
  GetBench bench;
  const Told told = bench.get({server.url("/bomb"), server.url("/a"), server.url("/b")});

  CHECK(told.outcome("/bomb") == "failed expands_too_much");
  CHECK(told.outcome("/a") == "completed");
  CHECK(bench.listing() == "a, b");
}

TEST_CASE(
    "F36: --max-unknown-size ends a body that does not say its size, both sides of the edge") {
  const CannedServer server{[&](std::string_view path) {
    return "HTTP/1.0 200 OK\r\n\r\n" + std::string(path == "/fits" ? 65'536 : 65'537, 'x');
  }};
  GetBench bench;
  const Told told =
      bench.get({"--max-unknown-size", "64K", server.url("/fits"), server.url("/more")});

  CHECK(told.outcome("/fits") == "completed");
  CHECK(told.outcome("/more") == "failed file_too_large");
  CHECK(bench.listing() == "fits");
}

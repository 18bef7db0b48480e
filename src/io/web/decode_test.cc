// F35: decodes compressed bodies, hostile ones too.

#include "io/web/decode.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "support/io/packed.h"

using namespace haul;
using namespace haul::testing;

namespace {

constexpr std::int64_t kMiB = 1 << 20;

struct Came {
  std::string bytes;
  std::int64_t size = 0;
  std::string fault;  // The fault's code.
  bool is_whole = false;
  std::size_t most_at_once = 0;  // The most that one call of decode() passed on.
};

// Decodes the whole body, with `work` per call. Counts long outputs instead of keeping them.
Came decoded(std::string_view codings, const std::string& coded,
             std::size_t work = std::numeric_limits<std::size_t>::max()) {
  auto decoder = io::Decoder::open(codings);
  REQUIRE(decoder);
  REQUIRE(*decoder);
  (*decoder)->add(std::as_bytes(std::span{coded}));
  Came came;
  while ((*decoder)->has_more()) {
    std::size_t at_once = 0;
    const auto done = (*decoder)->decode(work, [&](std::span<const std::byte> bytes) {
      at_once += bytes.size();
      came.size += std::ssize(bytes);
      if (came.size < kMiB)
        came.bytes.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      return true;
    });
    came.most_at_once = std::max(came.most_at_once, at_once);
    if (!done) came.fault = done.error().code;
    if (!done) break;
  }
  came.is_whole = (*decoder)->is_whole();
  return came;
}

std::string zeros(std::int64_t size) { return std::string(static_cast<std::size_t>(size), '\0'); }

}  // namespace

TEST_CASE("a body is decoded from every form that servers send, and one over the other") {
  const std::string plain = "What came is what was sent. " + std::string(50'000, 'x') + " The end.";
  for (const auto& [codings, coded] :
       {std::pair{"gzip", packed(plain)},
        {"X-GZIP", packed(plain)},
        {"deflate", packed(plain, Wrap::zlib)},
        {"deflate", packed(plain, Wrap::bare)},
        {"identity, gzip", packed(plain)},
        {"deflate, gzip", packed(packed(plain, Wrap::zlib))},
        {"gzip,gzip,gzip,gzip,gzip", packed(packed(packed(packed(packed(plain)))))}}) {
    const Came came = decoded(codings, coded);
    CHECK_MESSAGE(came.bytes == plain, codings);
    CHECK(came.fault.empty());
    CHECK(came.is_whole);
  }
}

TEST_CASE("a gzip body of several members is read to its end, and what follows them is dropped") {
  CHECK(decoded("gzip", packed("one ") + packed("two") + "rubbish").bytes == "one two");
  CHECK(decoded("gzip", packed("one ") + "rubbish").is_whole);
}

TEST_CASE("a body that ends too early is not whole; one without a byte is") {
  const std::string coded = packed("a body of some length, so that there is something to cut");
  CHECK(decoded("gzip", coded).is_whole);
  CHECK(!decoded("gzip", coded.substr(0, coded.size() - 1)).is_whole);
  CHECK(!decoded("gzip", coded.substr(0, 1)).is_whole);
  CHECK((*io::Decoder::open("gzip"))->is_whole());
}

TEST_CASE("H31, H32: what is not coded as it says, and what is coded too often, is refused") {
  CHECK(decoded("gzip", "no gzip at all").fault == "bad_answer");
  CHECK(decoded("deflate", "\x78\x9c no deflate").fault == "bad_answer");
  CHECK(io::Decoder::open("br").error().code == "bad_answer");
  CHECK(io::Decoder::open("gzip,gzip,gzip,gzip,gzip"));
  CHECK(io::Decoder::open("gzip,gzip,gzip,gzip,gzip,gzip").error().code == "bad_answer");
  CHECK(*io::Decoder::open("") == nullptr);
  CHECK(*io::Decoder::open(" identity ,") == nullptr);
}

TEST_CASE("F35: a body may expand to 16 MiB, whatever it came from, and not by a byte more") {
  const Came fits = decoded("gzip", packed(zeros(16 * kMiB)));
  CHECK(fits.size == 16 * kMiB);
  CHECK(fits.fault.empty());

  const Came bomb = decoded("gzip", packed(zeros(16 * kMiB + 1)));
  CHECK(bomb.fault == "expands_too_much");
  CHECK(bomb.size <= 16 * kMiB);
}

TEST_CASE("F35: beyond that it may expand to 100 times its size, both sides of the edge") {
  // Bytes after the end are dropped, but count as received. So the padding sets the exact ratio.
  const std::int64_t size = 20 * kMiB;
  const std::string coded = packed(zeros(size));
  const std::string padding(static_cast<std::size_t>(size / 100) - coded.size() + 1, 'x');
  CHECK(decoded("gzip", coded + padding).size == size);
  CHECK(decoded("gzip", coded + padding).fault.empty());
  CHECK(decoded("gzip", coded + padding.substr(1)).fault == "expands_too_much");
}

TEST_CASE("F35: codings one over the other do not get round it") {
  const std::string bomb = packed(packed(zeros(64 * kMiB)));
  CHECK(bomb.size() < 2'000);
  const Came came = decoded("gzip, gzip", bomb);
  CHECK(came.fault == "expands_too_much");
  CHECK(came.size <= 16 * kMiB);
}

TEST_CASE("F35: nor does a body that is large only between two codings") {
  std::string nothing;  // Empty deflate blocks, which decode to no bytes.
  for (int i = 0; i < (20 * kMiB) / 5; ++i) nothing.append("\x00\x00\x00\xff\xff", 5);
  const Came came = decoded("deflate, gzip", packed(nothing));
  CHECK(came.fault == "expands_too_much");
  CHECK(came.size == 0);
}

TEST_CASE("F35: one call does no more than it may, however much there is to do") {
  constexpr std::size_t kWork = 64 << 10;
  constexpr std::size_t kPiece = 16 << 10;
  const Came came = decoded("gzip, gzip", packed(packed(zeros(8 * kMiB))), kWork);
  CHECK(came.size == 8 * kMiB);
  CHECK(came.is_whole);
  CHECK(came.most_at_once <= kWork + kPiece);
}

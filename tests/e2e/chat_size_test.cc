// The largest file that a Bot API server of one's own takes, sent by the Telegram sink.

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>

#include "support/io/chat_bench.h"
#include "support/process/memory.h"
#include "support/run/proof.h"

using namespace haul;
using namespace haul::testing;

namespace {

constexpr std::int64_t kLargest = std::int64_t{2'000} << 20U;
constexpr long kMostKib = 32 * 1'024;
constexpr Millis kLong{600'000};

}  // namespace

TEST_CASE("A3-6, S3-15, X16: 2000 MiB arrive whole, and a byte more does not (proof: a byte less)" *
          doctest::test_suite("proof")) {
  for (const std::int64_t more : {-1, 0, 1}) {
    if (more < 0 && !is_proof()) continue;
    CAPTURE(more);
    ChatBench b;
    GeneratedFile& file = b.offer(JobId{1}, {.name = "a.bin", .size = kLargest + more});
    const long before = resident_kib(::getpid());
    long most = 0;

    b.land(ChatBench::parcel(JobId{1}));
    b.until(
        [&] {
          most = std::max(most, resident_kib(::getpid()));
          return b.sights.all().size() > b.moves().size();
        },
        kLong);

    CHECK(b.told(JobId{1}) == (more > 0 ? "failed permanent too_large" : "sent"));
    const auto delivered = b.server.delivered();
    REQUIRE(delivered.size() == (more > 0 ? 0 : 1));
    if (more > 0) continue;
    CHECK(delivered[0].size == kLargest + more);
    CHECK(delivered[0].sha256 == file.sha256());
    if (measures_memory()) CHECK(most - before <= kMostKib);
  }
}

#include "base/token_bucket.h"

#include <doctest/doctest.h>

using namespace haul;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kKiB = 1'024;
constexpr std::int64_t kMiB = 1'024 * kKiB;
constexpr Steady kBegin{1'000'000ms};

}  // namespace

TEST_CASE("a bucket earns its rate, at both ends of the range, and no byte more or less") {
  for (const std::int64_t rate : {64 * kKiB, kMiB, 100 * kMiB}) {
    TokenBucket bucket{rate, kBegin};
    std::int64_t taken = 0;
    for (Steady now = kBegin; now <= kBegin + 10s; now += 7ms) {
      bucket.earn(now);
      while (bucket.level() >= bucket.piece()) {
        bucket.take(bucket.piece());
        taken += bucket.piece();
      }
    }
    CHECK(taken <= 10 * rate + bucket.capacity());
    CHECK(taken >= 10 * rate - bucket.piece() - rate / 100);
  }
}

TEST_CASE("a bucket saves up an eighth of a second and no more, however long nothing is taken") {
  TokenBucket bucket{800 * kKiB, kBegin};
  bucket.take(100 * kKiB);
  CHECK(bucket.level() == 0);

  bucket.earn(kBegin + 124ms);
  CHECK(!bucket.is_full());
  bucket.earn(kBegin + 125ms);
  CHECK(bucket.is_full());
  bucket.earn(kBegin + 24h * 365);
  CHECK(bucket.level() == 100 * kKiB);
}

TEST_CASE("a debt is paid before anything can be taken, and the wait for it is exact") {
  TokenBucket bucket{kMiB, kBegin};
  bucket.take(bucket.capacity() + kMiB);
  CHECK(bucket.level() == -kMiB);
  CHECK(bucket.until(0) == 1000ms);

  bucket.earn(kBegin + 999ms);
  CHECK(bucket.level() < 0);
  CHECK(bucket.until(0) == 1ms);
  bucket.earn(kBegin + 1000ms);
  CHECK(bucket.level() == 0);
}

TEST_CASE("what is given back fills the bucket, but not beyond its edge") {
  TokenBucket bucket{kMiB, kBegin};
  const std::int64_t full = bucket.level();
  bucket.take(1'000);
  bucket.give_back(999);
  CHECK(bucket.level() == full - 1);
  bucket.give_back(2);
  CHECK(bucket.level() == full);
}

TEST_CASE("a clock that stands still or goes back earns nothing") {
  TokenBucket bucket{kMiB, kBegin};
  bucket.take(bucket.capacity());
  bucket.earn(kBegin);
  bucket.earn(kBegin - 1h);
  CHECK(bucket.level() == 0);
}

// When a download lets the disk write, and when it flushes its part for a checkpoint.

#include "engine/http/flush_pace.h"

#include <doctest/doctest.h>

namespace haul::http {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;
constexpr Steady kStart{Millis{100'000}};

}  // namespace

TEST_CASE("the disk starts to write after 8 MiB, and not again before it has written them") {
  WriteBehind behind;
  CHECK_FALSE(behind.wrote(8 * kMiB - 1));
  CHECK(behind.wrote(1));

  CHECK_FALSE(behind.wrote(9 * kMiB));
  behind.ended();
  CHECK(behind.wrote(0));
  behind.ended();
  CHECK_FALSE(behind.wrote(8 * kMiB - 1));
}

TEST_CASE("a part is flushed for a checkpoint once a MiB is new, not for less") {
  CheckpointPace pace;
  CHECK_FALSE(pace.begin(kMiB - 1, kStart));
  CHECK(pace.begin(kMiB, kStart));

  CheckpointPace resumed;
  resumed.kept(5 * kMiB);
  CHECK_FALSE(resumed.begin(6 * kMiB - 1, kStart));
  CHECK(resumed.begin(6 * kMiB, kStart));
}

TEST_CASE("a part is flushed for a checkpoint every two seconds, one flush after the other") {
  CheckpointPace pace;
  REQUIRE(pace.begin(kMiB, kStart));
  CHECK_FALSE(pace.begin(9 * kMiB, kStart + Millis{2'000}));  // The first has not ended.
  pace.ended();
  pace.kept(kMiB);

  CHECK_FALSE(pace.begin(9 * kMiB, kStart + Millis{1'999}));
  CHECK(pace.begin(9 * kMiB, kStart + Millis{2'000}));
}

TEST_CASE("a flush that failed keeps nothing, so the next one is for the same bytes") {
  CheckpointPace pace;
  REQUIRE(pace.begin(kMiB, kStart));
  pace.ended();

  CHECK(pace.begin(kMiB, kStart + Millis{2'000}));
}

}  // namespace haul::http

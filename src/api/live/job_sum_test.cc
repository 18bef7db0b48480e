#include "api/live/job_sum.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

namespace haul::api {

using namespace std::chrono_literals;

TEST_CASE("progress covers the whole job: what landed, what moves, and what has not begun") {
  const Counts counts{.total = 3, .downloaded = 1, .enumerated = true, .bytes = 100};
  const flow::OpenItems open{.have = 40, .size = 300, .sized = 2, .left = 260};

  CHECK(sum_of(counts, open, 26) == JobSum{.have = 140, .size = 400, .eta = 10s});
  CHECK(sum_of(counts, open, 0) == JobSum{.have = 140, .size = 400});
}

TEST_CASE("progress with one unknown size says at least, and nothing that it does not know") {
  const Counts counts{.total = 3, .downloaded = 1, .enumerated = true, .bytes = 100};
  const flow::OpenItems open{.have = 40, .size = 200, .sized = 1, .left = 160};
  CHECK(sum_of(counts, open, 16) == JobSum{.have = 140, .size_least = 300, .eta_least = 10s});

  const flow::OpenItems unsized{.have = 40};
  CHECK(sum_of(counts, unsized, 16) == JobSum{.have = 140});
}

TEST_CASE("progress of a list that still grows is at least what is known of it") {
  const Counts counts{.total = 1};
  const flow::OpenItems open{.have = 40, .size = 200, .sized = 1, .left = 160};

  CHECK(sum_of(counts, open, 16) == JobSum{.have = 40, .size_least = 200, .eta_least = 10s});
}

TEST_CASE("sizes that no disk has end at the largest number") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const Counts counts{.total = 3, .downloaded = 1, .enumerated = true, .bytes = 1};

  CHECK(sum_of(counts, {.sized = 2, .left = kMost - 1}, 0).size == kMost);
  CHECK(sum_of(counts, {.sized = 2, .left = kMost}, 0).size == kMost);
  CHECK(sum_of(counts, {.have = kMost, .sized = 2, .left = kMost}, 0).have == kMost);
  CHECK(sum_of(counts, {.sized = 1, .left = kMost}, 0).size_least == kMost);
}

TEST_CASE("failed, skipped and cancelled items are no part of what is left") {
  const Counts counts{.total = 4,
                      .downloaded = 1,
                      .skipped = 1,
                      .failed = 1,
                      .cancelled = 1,
                      .enumerated = true,
                      .bytes = 7};

  CHECK(sum_of(counts, {}, 5) == JobSum{.have = 7, .size = 7, .eta = 0s});
}

}  // namespace haul::api

#include "flow/client/cycle.h"

#include <doctest/doctest.h>

namespace haul::flow {
namespace {

using namespace std::chrono_literals;

constexpr Steady kStart{Millis{5'000}};

}  // namespace

TEST_CASE(
    "000 section 8: a cycle begins when it is wanted, and the next not before 15 s are over") {
  Cycle cycle{15s, 100};
  CHECK(cycle.begin_if_due(kStart));
  CHECK_FALSE(cycle.begin_if_due(kStart));
  CHECK_FALSE(cycle.begin_if_due(kStart + 14'999ms));
  CHECK(cycle.begin_if_due(kStart + 15s));
}

TEST_CASE("a cycle that begins late does not put off all that follow, one that was missed does") {
  Cycle cycle{15s, 100};
  cycle.begin_if_due(kStart);
  CHECK(cycle.begin_if_due(kStart + 16s));
  CHECK(cycle.until_next(kStart + 16s) == 14s);
  CHECK(cycle.begin_if_due(kStart + 50s));
  CHECK(cycle.until_next(kStart + 50s) == 15s);
}

TEST_CASE("S0-19: a cycle has so many turns, and the next has them again") {
  Cycle cycle{15s, 2};
  cycle.begin_if_due(kStart);
  CHECK(cycle.take_turn());
  CHECK(cycle.take_turn());
  CHECK_FALSE(cycle.take_turn());
  cycle.begin_if_due(kStart + 15s);
  CHECK(cycle.take_turn());
}

TEST_CASE("S0-20: of more jobs than turns each job has its turn every so many cycles") {
  Cycle cycle{15s, 100};
  cycle.begin_if_due(kStart);
  for (const auto& [open, cycles] : {std::pair{0, 1}, {1, 1}, {100, 1}, {101, 2}, {10'000, 100}}) {
    cycle.spread_over(static_cast<std::size_t>(open));
    CHECK(cycle.next_turn(kStart + 1s) == 14s + (cycles - 1) * Millis{15s});
  }
}

TEST_CASE("who is asked about a moment before a cycle begins is not asked about again with it") {
  Cycle cycle{15s, 100};
  cycle.begin_if_due(kStart);
  CHECK(cycle.next_turn(kStart + 13'500ms) == 1'500ms);
  CHECK(cycle.next_turn(kStart + 13'501ms) == 16'499ms);
}

TEST_CASE(
    "a job without a turn comes before all others of the next cycles, as many as there is room") {
  Cycle cycle{15s, 2};
  cycle.begin_if_due(kStart);
  CHECK(cycle.postponed_turn(kStart) == 15s - kAhead);
  CHECK(cycle.postponed_turn(kStart) == 15s - kAhead);
  CHECK(cycle.postponed_turn(kStart) == 30s - kAhead);
  cycle.begin_if_due(kStart + 15s);
  CHECK(cycle.postponed_turn(kStart + 15s) == 15s - kAhead);
}

}  // namespace haul::flow

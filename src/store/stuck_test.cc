#include "store/stuck.h"

#include <doctest/doctest.h>

#include "lifecycle/tables.h"

namespace haul {
namespace {

using namespace std::chrono_literals;

constexpr Time kMoved = from_unix_ms(1'770'000'000'000);

bool is_stuck_after(const std::vector<StuckRule>& rules, Millis age) {
  Job job;
  job.version = {.id = JobId{1}, .lifecycle = &kMedia, .state = "imported"};
  job.moved_at = kMoved;
  return is_stuck(rules, job, kMoved + age);
}

}  // namespace

TEST_CASE("S1-13: stuck is strictly older than the rule of the job's own state") {
  const std::vector<StuckRule> rules{{"book", "imported", 1s}, {"media", "imported", 10s}};
  CHECK_FALSE(is_stuck_after(rules, 9'999ms));
  CHECK_FALSE(is_stuck_after(rules, 10s));
  CHECK(is_stuck_after(rules, 10'001ms));
}

TEST_CASE("S1-13: a state without a rule, or with a rule of zero, never holds a stuck job") {
  CHECK_FALSE(is_stuck_after({}, 10'000h));
  CHECK_FALSE(is_stuck_after({{"media", "queued", 1s}}, 10'000h));
  CHECK_FALSE(is_stuck_after({{"media", "imported", 0s}}, 10'000h));
}

}  // namespace haul

#include "cli/draw/job_lines.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace haul::cli {
namespace {

// The state that is shown of a running job with these members.
std::string state_with(const std::string& members) {
  const std::string text = R"({"state":"RUNNING","end":"open",)" + members + "}";
  const auto job = JsonView::read(text);
  REQUIRE(job);
  return state_of(*job);
}

}  // namespace

TEST_CASE("a job whose items all wait for a host is shown as waiting for it, not as running") {
  const std::string waits = R"("progress":{"have":5,"waits_for":"h.example"})";
  CHECK(state_with(waits + R"(,"paused":false,"stuck":false)") == "waiting for h.example");
  CHECK(state_with(waits + R"(,"paused":false,"stuck":true)") == "waiting for h.example");
  CHECK(state_with(waits + R"(,"paused":true,"stuck":false)") == "RUNNING, paused");
  CHECK(state_with(R"("progress":{"have":5,"waits_for":null})") == "RUNNING");
  CHECK(state_with(R"("progress":null)") == "RUNNING");
}

TEST_CASE("an ended job waits for no host, whatever its last progress says") {
  const auto job = JsonView::read(
      R"({"state":"COMPLETED","end":"good","outcome":"whole","progress":{"waits_for":"h"}})");
  REQUIRE(job);
  CHECK(state_of(*job) == "COMPLETED");
}

}  // namespace haul::cli

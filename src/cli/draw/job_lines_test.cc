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

// The progress that is shown of a job with these members.
std::string progress_with(const std::string& counts, const std::string& progress) {
  const auto job = JsonView::read(R"({"counts":{)" + counts + R"(},"progress":)" + progress + "}");
  REQUIRE(job);
  return progress_of(*job);
}

}  // namespace

TEST_CASE("a job of several items shows its items, and its bytes of those that are known") {
  const std::string counts = R"("total":40,"completed":12,"failed":1,"bytes":512)";
  const auto shown = [&](const std::string& progress) { return progress_with(counts, progress); };
  CHECK(shown(R"({"have":1536,"size":4096,"size_least":null,"speed":0})") ==
        "12 of 40, 1 failed, 1.5 KiB of 4.0 KiB");
  CHECK(shown(R"({"have":0,"size":4096,"speed":2048})") ==
        "12 of 40, 1 failed, 0 B of 4.0 KiB, 2.0 KiB/s");
  CHECK(shown(R"({"have":1536,"size":null,"size_least":4096,"speed":0})") ==
        "12 of 40, 1 failed, 1.5 KiB of at least 4.0 KiB");
  CHECK(shown(R"({"have":0,"size":null,"size_least":4096,"speed":0})") ==
        "12 of 40, 1 failed, 0 B of at least 4.0 KiB");
  CHECK(shown(R"({"have":1536,"size":null,"size_least":null,"speed":0})") ==
        "12 of 40, 1 failed, 1.5 KiB");
  CHECK(shown(R"({"have":0,"size":null,"size_least":null,"speed":0})") == "12 of 40, 1 failed");
  CHECK(shown("null") == "12 of 40, 1 failed, 512 B");  // It has ended.
  CHECK(progress_with(R"("total":2,"completed":0)", "null") == "0 of 2");
}

TEST_CASE("a job of one item shows its bytes only") {
  const std::string counts = R"("total":1,"completed":0,"bytes":512)";
  const auto shown = [&](const std::string& progress) { return progress_with(counts, progress); };
  CHECK(shown(R"({"have":1536,"size":4096,"speed":2048})") == "37% of 4.0 KiB, 2.0 KiB/s");
  CHECK(shown(R"({"have":1536,"size":null,"size_least":4096,"speed":0})") ==
        "1.5 KiB of at least 4.0 KiB");
  CHECK(shown(R"({"have":1536,"size":null,"size_least":null,"speed":0})") == "1.5 KiB");
  CHECK(shown(R"({"have":0,"size":null,"size_least":null,"speed":0})").empty());
  CHECK(shown("null") == "512 B");  // It has ended.
  CHECK(progress_with(R"("total":0,"bytes":0)", "null").empty());
}

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

#include "api/live/meter.h"

#include <doctest/doctest.h>

#include <vector>

#include "lifecycle/tables.h"

namespace haul::api {
namespace {

bool has(const Meter& meter, const std::string& line) {
  return meter.text().find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("moves are counted by lifecycle, from and to; bad ends by their reason") {
  Meter meter;
  std::vector<CommittedMove> moves(3, {&kBatch, "PENDING", "RUNNING", ""});
  moves.push_back({&kBatch, "RUNNING", "FAILED", "http_404"});
  moves.push_back({&kBatch, "PENDING", "RUNNING", ""});
  moves.push_back({&kMedia, "queued", "downloading", ""});
  meter.see({.commands = 2, .log_length = 7, .took = Millis{3}, .moves = moves, .rescues = 2});
  meter.see({.commands = 1, .log_length = 9, .took = Millis{0}, .moves = {}, .rescues = 1});

  CHECK(has(meter, R"(haul_moves_total{lifecycle="batch",from="PENDING",to="RUNNING"} 4)"));
  CHECK(has(meter, R"(haul_moves_total{lifecycle="batch",from="RUNNING",to="FAILED"} 1)"));
  CHECK(has(meter, R"(haul_moves_total{lifecycle="media",from="queued",to="downloading"} 1)"));
  CHECK(has(meter, R"(haul_faults_total{reason="http_404"} 1)"));
  CHECK(has(meter, "haul_rescues_total 3"));
  CHECK(has(meter, "haul_log_pages 9"));
  CHECK(has(meter, R"(haul_commit_seconds_bucket{le="0.001"} 1)"));
  CHECK(has(meter, R"(haul_commit_seconds_bucket{le="0.005"} 2)"));
  CHECK(has(meter, "haul_commit_seconds_sum 0.003"));
  CHECK(has(meter, "haul_commit_commands_count 2"));
}

TEST_CASE("Z-25: ended jobs are counted by outcome; other moves are not") {
  Meter meter;
  const std::vector<CommittedMove> moves{{&kBatch, "RUNNING", "COMPLETED", "", Outcome::partly},
                                         {&kBatch, "RUNNING", "FAILED", "x", Outcome::partly},
                                         {&kBatch, "PENDING", "CANCELLED", "", Outcome::nothing},
                                         {&kBatch, "PENDING", "RUNNING", "", {}}};
  meter.see({.commands = 1, .log_length = 1, .took = Millis{1}, .moves = moves});

  CHECK(has(meter, R"(haul_outcomes_total{lifecycle="batch",outcome="partly"} 2)"));
  CHECK(has(meter, R"(haul_outcomes_total{lifecycle="batch",outcome="nothing"} 1)"));
  CHECK(meter.text().find(R"(outcome="whole")") == std::string::npos);
}

TEST_CASE("S3-15: the bytes in the spool are shown, and zero without one") {
  Meter meter;
  CHECK(has(meter, "haul_spool_bytes 0"));
  meter.see_spool(5);
  CHECK(has(meter, "haul_spool_bytes 5"));
}

TEST_CASE("F14: a reason cannot break a line, and the number of reasons is limited") {
  Meter meter;
  meter.see_fault("a\"}\nhaul_bytes_total 9");
  CHECK(has(meter, R"(haul_faults_total{reason="a___haul_bytes_total_9"} 1)"));
  for (int i = 0; i < 2'000; ++i) meter.see_fault("reason_" + std::to_string(i));
  CHECK(has(meter, R"(haul_faults_total{reason="other"} 1501)"));
  meter.see_fault("reason_7");
  CHECK(has(meter, R"(haul_faults_total{reason="reason_7"} 2)"));
  meter.see_fault("a\"}\nhaul_bytes_total 9");
  CHECK(has(meter, R"(haul_faults_total{reason="a___haul_bytes_total_9"} 2)"));
}

TEST_CASE("every metric has one HELP and one TYPE line") {
  const Meter meter;
  const std::string text = meter.text();
  for (const char* family :
       {"haul_api_seconds", "haul_commit_seconds", "haul_commit_commands", "haul_log_pages",
        "haul_bytes_total", "haul_rescues_total", "haul_moves_total", "haul_faults_total"}) {
    CAPTURE(family);
    const std::string type = std::string{"# TYPE "} + family + " ";
    CHECK(text.find(type) != std::string::npos);
    CHECK(text.find(type) == text.rfind(type));
    CHECK(text.find(std::string{"# HELP "} + family + " ") != std::string::npos);
  }
}

}  // namespace haul::api

#include <doctest/doctest.h>

#include "support/api/api_bench.h"
#include "support/store/test_store.h"

namespace haul::testing {
namespace {

const std::string kJob = R"({"lifecycle":"batch","request":{"url":"http://h/a"}})";

}  // namespace

TEST_CASE("stats count only their own jobs for users who may not operate") {
  ApiBench b;
  for (const char* who : {"adder", "operator", "operator"})
    REQUIRE(b.as(who, "POST", "/api/v1/jobs", kJob).status == 201);
  const auto jobs = [&](const char* who) {
    return member(b.as(who, "GET", "/api/v1/stats"), "jobs");
  };
  const auto pending = [](int count) {
    return fmt::format(R"([{{"count":{},"end":"open","lifecycle":"batch","state":"PENDING"}}])",
                       count);
  };
  CHECK(jobs("adder") == pending(1));
  CHECK(jobs("operator") == pending(3));
  CHECK(jobs("viewer") == "[]");
}

TEST_CASE("stats tell the speed limit that holds now, and until when") {
  ApiBench free;
  CHECK(member(free.get("/api/v1/stats"), "speed_limit") ==
        R"({"bytes_per_second":null,"set_by":"transfer.speed_limit","until":null})");

  const Time now = free.clock.now();
  const auto minute = std::chrono::floor<Minutes>(now.time_since_epoch() % std::chrono::hours{24});
  ApiBench b{open_test_store(Bench::kStart),
             std::nullopt,
             {.otherwise = 4'096,
              .windows = {{.from = minute, .to = minute + Minutes{1}, .per_second = 2'048}}}};
  const std::string until = to_iso(std::chrono::floor<Minutes>(now) + Minutes{1});
  CHECK(member(b.get("/api/v1/stats"), "speed_limit") ==
        R"({"bytes_per_second":2048,"set_by":"transfer.speed_schedule[0]","until":")" + until +
            "\"}");
}

TEST_CASE("q: a search text that is too long is refused") {
  ApiBench b;
  CHECK(b.get("/api/v1/jobs?q=" + std::string(500, 'a')).status == 200);
  const WebReply refused = b.get("/api/v1/jobs?q=" + std::string(501, 'a'));
  CHECK(refused.status == 422);
  CHECK(member(refused, "code") == "too_long");
}

TEST_CASE("a lifecycle is shown as JSON, as Mermaid and as a picture") {
  ApiBench b;
  const std::string path = "/api/v1/lifecycles/batch?format=";
  CHECK(b.get(path + "json").body.starts_with("{"));
  CHECK(b.get(path + "mermaid").body.starts_with("stateDiagram-v2"));
  const WebReply picture = b.get(path + "svg");
  CHECK(header_of(picture, "Content-Type") == "image/svg+xml");
  CHECK(picture.body.starts_with("<svg "));
  CHECK(b.get(path + "png").status == 400);
}

TEST_CASE("the audit log is listed newest first, in pages") {
  ApiBench b;
  for (int i = 1; i <= 3; ++i)
    REQUIRE(b.as("boss", "POST", fmt::format("/api/v1/users/{}/credits", b.users["adder"].id.value),
                 fmt::format(R"({{"amount":{}}})", i), {{"idempotency-key", std::to_string(i)}})
                .status == 200);
  const WebReply first = b.as("boss", "GET", "/api/v1/audit?limit=2");
  REQUIRE(first.status == 200);
  CHECK(first.body.find("\"3 to user") < first.body.find("\"2 to user"));
  CHECK(first.body.find("\"1 to user") == std::string::npos);
  const WebReply second =
      b.as("boss", "GET", "/api/v1/audit?limit=2&cursor=" + member(first, "next"));
  CHECK(second.body.find("\"1 to user") != std::string::npos);
  CHECK(second.body.find("\"2 to user") == std::string::npos);
}

TEST_CASE("Z-31: a restored store says so until an admin resumes it, which is audited") {
  ApiBench b;
  CHECK(member(b.get("/api/v1/stats"), "restored_at") == "null");
  b.store().identity().mark_restored(b.clock.now());
  CHECK(member(b.as("viewer", "GET", "/api/v1/stats"), "restored_at") ==
        "2026-02-02T02:40:00.000Z");

  CHECK(b.as("operator", "POST", "/api/v1/resume", "{}").status == 403);
  CHECK(b.store().identity().is_restored());
  const WebReply first = b.post("/api/v1/resume", "{}");
  CHECK(first.status == 200);
  CHECK(member(first, "resumed") == "true");
  CHECK(member(b.post("/api/v1/resume"), "resumed") == "false");

  CHECK(member(b.get("/api/v1/stats"), "restored_at") == "null");
  const auto audits = b.store().ledger().audits(0, 10);
  REQUIRE(audits.size() == 1);
  CHECK(audits.front().action == "RESTORE_CLEARED");
}

TEST_CASE("S1-14: metrics count the stuck jobs of each state, also where there are none") {
  ApiBench b;
  const NewJob film{
      .lifecycle = &kMedia, .owner = b.users["adder"].id, .request = request_for(kMedia)};
  REQUIRE(b.store().jobs().add({&film, 1}, b.clock.now()).front().has_value());
  const auto counts = [&](const std::string& state, int count) {
    return b.get("/metrics")
               .body.find(fmt::format("\nhaul_stuck_jobs{{lifecycle=\"media\",state=\"{}\"}} {}\n",
                                      state, count)) != std::string::npos;
  };
  b.clock.pass(std::chrono::hours{1});
  CHECK(counts("queued", 0));

  b.clock.pass(Millis{1});
  CHECK(counts("queued", 1));
  CHECK(counts("downloading", 0));
  CHECK(member(b.get("/api/v1/stats"), "stuck") == "1");
}

TEST_CASE("F25: without its store haul is not ready and says why; without a client it still is") {
  ApiBench b;
  const auto ready = [&] { return b.as("", "GET", "/health/ready"); };
  CHECK(ready().status == 200);

  b.progress.put_trouble("qbittorrent", "client_unreachable", "it does not answer");
  CHECK(ready().status == 200);
  CHECK(member(ready(), "status") == "ready");

  b.progress.put_trouble(api::kStorePart, "disk_full", "the disk is full");
  CHECK(ready().status == 503);
  CHECK(member(ready(), "status") == "not_ready");
  CHECK(member(ready(), "troubles").find("disk_full") != std::string::npos);

  b.progress.put_trouble(api::kStorePart, {}, {});
  CHECK(ready().status == 200);
}

TEST_CASE("F25: while the store is full, reads with a key are answered and adds are refused") {
  bool full = false;
  ApiBench b{open_test_store(Bench::kStart, [&](CommitPhase phase) {
    if (full && phase == CommitPhase::before)
      throw StoreFault{StoreFault::Kind::full, "as scripted"};
  })};
  REQUIRE(b.post("/api/v1/jobs", kJob).status == 201);
  full = true;
  b.clock.pass(std::chrono::minutes{2});  // Long enough for the key's last use to be written again.

  CHECK(b.get("/api/v1/jobs/1").status == 200);
  CHECK(b.get("/api/v1/stats").status == 200);
  const WebReply refused = b.post("/api/v1/jobs", kJob);
  CHECK(refused.status == 507);
  CHECK(member(refused, "code") == "disk_full");

  full = false;
  CHECK(b.post("/api/v1/jobs", kJob).status == 201);
}

}  // namespace haul::testing

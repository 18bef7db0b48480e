// A job that is added for a later time.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

WebReply add(ApiBench& b, const std::string& not_before, WebFields headers = {}) {
  return b.post("/api/v1/jobs",
                fmt::format(R"({{"lifecycle":"batch","request":{{"url":"https://h/a"}},)"
                            R"("not_before":{}}})",
                            not_before),
                std::move(headers));
}

TEST_CASE("a job with a time is due then, whether it came as a time or as a duration") {
  ApiBench b;
  const std::string in_two_hours = to_iso(b.clock.now() + 2h);
  for (const std::string& text : {std::string{R"("2h")"}, json_quoted(in_two_hours)}) {
    const WebReply reply = add(b, text);
    CHECK(reply.status == 201);
    CHECK(reply.body.contains(fmt::format(R"("due_at":"{}")", in_two_hours)));
  }
  CHECK(add(b, "null").body.contains(fmt::format(R"("due_at":"{}")", to_iso(b.clock.now()))));
}

TEST_CASE("a list says when such a job begins, until then; other jobs have no such time") {
  ApiBench b;
  REQUIRE(add(b, R"("2h")").status == 201);
  const std::string begins = fmt::format(R"("begins_at":"{}")", to_iso(b.clock.now() + 2h));
  CHECK(b.get("/api/v1/jobs").body.contains(begins));
  CHECK(b.get("/api/v1/jobs/1").body.contains(begins));
  REQUIRE(b.post("/api/v1/jobs/1/pause").status == 200);
  CHECK(b.get("/api/v1/jobs").body.contains(R"("begins_at":null)"));
  REQUIRE(b.post("/api/v1/jobs/1/resume").status == 200);
  CHECK(b.get("/api/v1/jobs").body.contains(begins));

  b.clock.set(2h);
  CHECK(b.get("/api/v1/jobs").body.contains(R"("begins_at":null)"));
  CHECK(add(b, "null").body.contains(R"("begins_at":null)"));
}

TEST_CASE("a time that is over, too far ahead or no time is refused") {
  ApiBench b;
  const WebReply now = add(b, json_quoted(to_iso(b.clock.now())));
  CHECK(now.status == 422);
  CHECK(now.body.contains("not_before_is_over"));
  CHECK(add(b, json_quoted(to_iso(b.clock.now() + 1ms))).status == 201);
  CHECK(add(b, R"("367d")").status == 400);
  CHECK(add(b, R"("soon")").body.contains(R"("fields":{"not_before":)"));
  CHECK(add(b, "7200").status == 400);
}

TEST_CASE("A4-9: a request that is repeated after its time finds its job") {
  ApiBench b;
  const std::string text = json_quoted(to_iso(b.clock.now() + 1h));
  CHECK(add(b, text, {{"idempotency-key", "k"}}).status == 201);
  b.clock.set(2h);
  const WebReply again = add(b, text, {{"idempotency-key", "k"}});
  CHECK(again.status == 200);
  CHECK(again.body.contains(R"("replayed":true)"));
}

}  // namespace
}  // namespace haul::testing

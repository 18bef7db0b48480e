// F52: who sees the tokens in URLs.

#include <doctest/doctest.h>

#include "api/json/job_json.h"
#include "support/api/api_bench.h"

namespace haul::testing {

TEST_CASE("F52: a token in a URL is shown to the job's owner only, and in no event") {
  ApiBench b;
  const std::string body =
      R"({"lifecycle":"batch","request":{"url":"http://h/a?token=canary&x=1"}})";
  const WebReply added = b.as("adder", "POST", "/api/v1/jobs", body);
  REQUIRE(added.status == 201);
  const std::string path = "/api/v1/jobs/" + member(added, "id");
  const auto has_token = [](const WebReply& reply) {
    CHECK(reply.status < 300);
    return reply.body.find("canary") != std::string::npos;
  };

  CHECK(has_token(added));
  CHECK(has_token(b.as("adder", "GET", path)));
  CHECK(has_token(b.as("adder", "GET", "/api/v1/jobs")));
  for (const char* other : {"operator", "boss"}) {
    const WebReply seen = b.as(other, "GET", path);
    CHECK_FALSE(has_token(seen));
    CHECK(seen.body.find("token=***&x=1") != std::string::npos);
    CHECK_FALSE(has_token(b.as(other, "GET", "/api/v1/jobs")));
    CHECK_FALSE(has_token(b.as(other, "POST", path + "/pause")));
    CHECK_FALSE(has_token(b.as(other, "POST", path + "/resume")));
  }
  CHECK_FALSE(has_token(b.as("adder", "GET", path + "/events")));
}

TEST_CASE("F52: a token in an item's address is shown to the owner only, in items and results") {
  ApiBench b;
  const JobId id = b.add_for("adder");
  const WorkerId worker = b.store().workers().enlist("test", b.clock.now());
  const auto claims =
      b.store().jobs().claim({.lifecycle = &kBatch, .worker = worker, .limit = 1}, b.clock.now());
  REQUIRE(claims.size() == 1);
  const Hold hold{id, worker, claims.front().version.fence};
  const std::vector<NewItem> found{
      {.key = "http:0:http://h/a?token=canary&x=1", .url = "http://h/a?token=canary&x=1"},
      {.key = "http:0:http://h/b?token=canary&x=1",
       .url = "http://h/b?token=canary&x=1",
       .size = {},
       .skip = "excluded_extension"}};
  REQUIRE(b.store().items().add(hold, found, Enumeration::complete, b.clock.now()));
  const std::vector<ItemMove> moves{
      {.n = 1, .from = "PENDING", .on = On::start},
      {.n = 1, .from = "DOWNLOADING", .on = On::fail, .reason = "http_404"}};
  for (const ItemAnswer& answer : b.store().items().move(hold, moves, b.clock.now()))
    REQUIRE(answer);

  for (const char* what : {"/items", "/result"}) {
    CAPTURE(what);
    const std::string path = fmt::format("/api/v1/jobs/{}{}", id.value, what);
    const std::string own = b.as("adder", "GET", path).body;
    CHECK(own.find("/a?token=canary&x=1") != std::string::npos);
    CHECK(own.find("/b?token=canary&x=1") != std::string::npos);
    for (const char* other : {"operator", "boss"}) {
      const WebReply seen = b.as(other, "GET", path);
      CHECK(seen.status == 200);
      CHECK(seen.body.find("canary") == std::string::npos);
      CHECK(seen.body.find("/a?token=***&x=1") != std::string::npos);
      CHECK(seen.body.find("/b?token=***&x=1") != std::string::npos);
    }
  }
}

TEST_CASE("F52: items and events are redacted string by string, and stay JSON") {
  const Item item{.key = "http:0:http://h/a?api_key=canary", .url = "http://h/a?api_key=canary"};
  CHECK(api::to_json(item, End::open, {}, api::Viewer::owner).find("canary") != std::string::npos);
  const std::string others = api::to_json(item, End::open, {}, api::Viewer::other);
  CHECK(others.find("canary") == std::string::npos);
  CHECK(read_object(others));

  const Event event{
      .type = "LOG",
      .data = R"({"list":["http://h/?sig=canary"],"message":"Cookie: canary","n":1})"};
  const std::string told = api::to_json(event);
  CHECK(told.find("canary") == std::string::npos);
  CHECK(read_object(told));
}

TEST_CASE("F52: readiness shows the part and code of a trouble, but no address") {
  ApiBench b;
  b.progress.put_trouble("qbittorrent", "client_unreachable",
                         "http://10.1.2.3:8080 does not answer");
  const WebReply reply = b.as("", "GET", "/health/ready");
  CHECK(reply.body.find("client_unreachable") != std::string::npos);
  CHECK(reply.body.find("10.1.2.3") == std::string::npos);
}

}  // namespace haul::testing

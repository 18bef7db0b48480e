// What the API says about paid jobs: prices, credits, refusals, reasons, results.

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

std::vector<flow::LifecycleWork> paid_work() {
  flow::LifecycleWork image{.lifecycle = &kImage};
  image.price = 3;
  image.quota = {.open_max = 5, .per_minute = 2};
  image.refuses = [](std::string_view request) -> std::optional<Refusal> {
    if (request.find("nude") == std::string_view::npos) return std::nullopt;
    return Refusal{RefusalKind::guarded, "prompt_blocked", "prompt: not allowed", "prompt"};
  };
  image.refuses_new = [](std::string_view request) -> std::optional<Refusal> {
    if (request.find("steps") == std::string_view::npos) return std::nullopt;
    return Refusal{RefusalKind::guarded, "bad_params", "params.steps: too many", "params.steps"};
  };
  return {image, flow::LifecycleWork{.lifecycle = &kBatch}};
}

struct PaidApi : ApiBench {
  PaidApi() : ApiBench{open_test_store(Bench::kStart), paid_work()} {
    REQUIRE(store().ledger().grant(adder, 10, "gift", clock.now()));
  }
  WebReply ask(const std::string& prompt, const std::string& more = {}) {
    return as(
        "adder", "POST", "/api/v1/jobs",
        fmt::format(R"({{"lifecycle":"image","request":{{"prompt":"{}"}}{}}})", prompt, more));
  }
  std::string at(std::string_view what) {
    return fmt::format("/api/v1/users/{}/{}", adder.value, what);
  }

  UserId adder = users.at("adder").id;
};

}  // namespace

TEST_CASE("S4-3: an image that is added over the API reserves its price, which lifecycles show") {
  PaidApi a;
  CHECK(member(a.as("adder", "GET", "/api/v1/lifecycles/image"), "price") == "3");
  CHECK(a.as("adder", "GET", "/api/v1/lifecycles/batch").body.find("\"price\"") ==
        std::string::npos);
  CHECK(a.ask("a cat").status == 201);
  CHECK(a.store().ledger().wallet(a.adder).reserved == 3);
}

TEST_CASE("S4-2: a parameter that the provider does not take is refused by its path, for nothing") {
  PaidApi a;
  const WebReply refused =
      a.as("adder", "POST", "/api/v1/jobs",
           R"({"lifecycle":"image","request":{"prompt":"a cat","params":{"steps":900}}})");
  CHECK(refused.status == 422);
  CHECK(member(refused, "code") == "bad_params");
  CHECK(member(refused, "fields") == R"({"request.params.steps":"too many"})");
  CHECK(a.store().ledger().wallet(a.adder).reserved == 0);
  CHECK(a.store().reader().list({}).jobs.empty());
}

TEST_CASE("A4-2: a lifecycle with a price says whether a rejected job gets it back") {
  PaidApi a;
  CHECK(member(a.as("adder", "GET", "/api/v1/lifecycles/image"), "refunds_rejected") == "false");
  CHECK(a.as("adder", "GET", "/api/v1/lifecycles/batch").body.find("refunds_rejected") ==
        std::string::npos);

  auto work = paid_work();
  work.front().refunds_rejected = true;
  ApiBench kind{open_test_store(Bench::kStart), work};
  CHECK(member(kind.get("/api/v1/lifecycles/image"), "refunds_rejected") == "true");
}

TEST_CASE("Z-15: a repeated request is answered with its job, which says that it is replayed") {
  PaidApi a;
  const WebReply first = a.ask("a cat");
  CHECK(first.body.find("\"replayed\"") == std::string::npos);
  const WebReply again = a.ask("a cat");
  CHECK(again.status == 200);
  CHECK(member(again, "replayed") == "true");
  CHECK(member(again, "id") == member(first, "id"));
  CHECK(a.store().ledger().wallet(a.adder).reserved == 3);
}

TEST_CASE("S4-2: each refusal has its code, and nothing is stored or reserved") {
  PaidApi a;
  const WebReply blocked = a.ask("a nude cat");
  CHECK(blocked.status == 422);
  CHECK(member(blocked, "code") == "prompt_blocked");
  CHECK(member(blocked, "fields") == R"({"request.prompt":"not allowed"})");
  CHECK(a.ask("a").status == 201);
  CHECK(a.ask("b").status == 201);
  const WebReply fast = a.ask("c");
  CHECK(fast.status == 429);
  CHECK(member(fast, "code") == "too_fast");
  CHECK(std::ranges::count(fast.headers,
                           std::pair<std::string, std::string>{"Retry-After", "60"}) == 1);
  a.clock.pass(60s);
  CHECK(a.ask("d").status == 201);
  const WebReply poor = a.ask("e");
  CHECK(poor.status == 422);
  CHECK(member(poor, "code") == "no_credit");
  CHECK(a.store().reader().list({}).jobs.size() == 3);
  CHECK(a.store().ledger().wallet(a.adder).reserved == 9);
}

TEST_CASE(
    "Z-16: an operator who spends another user's credits is audited in the same transaction") {
  PaidApi a;
  const std::string body = fmt::format(
      R"({{"lifecycle":"image","owner":{},"request":{{"prompt":"x"}}}})", a.adder.value);
  CHECK(a.as("operator", "POST", "/api/v1/jobs", body).status == 201);
  CHECK(a.store().ledger().wallet(a.adder).reserved == 3);
  const auto audits = a.store().ledger().audits(0, 10);
  REQUIRE(audits.size() == 1);
  CHECK(audits[0].action == "JOB_ADDED");
  CHECK(audits[0].detail == fmt::format("job of user {}, 3 credits", a.adder.value));
}

TEST_CASE("A4-9, Z-30: a repeated request gets its job although the provider is gone") {
  ApiBench b;
  bool is_gone = false;
  b.lacks = [&](const Lifecycle&, std::string_view) {
    return std::string{is_gone ? "configure x" : ""};
  };
  const std::string body = R"({"lifecycle":"image","request":{"prompt":"x"}})";
  const WebReply first = b.post("/api/v1/jobs", body);
  REQUIRE(first.status == 201);
  is_gone = true;
  CHECK(member(b.post("/api/v1/jobs", body), "id") == member(first, "id"));
  CHECK(member(b.post("/api/v1/jobs", R"({"lifecycle":"image","request":{"prompt":"y"}})"),
               "code") == "not_configured");
}

TEST_CASE("the history of credits is newest first, by pages, for its owner and for admins") {
  PaidApi a;
  a.ask("a");
  a.ask("b");
  const WebReply page = a.as("adder", "GET", a.at("credits/history?limit=2"));
  CHECK(page.status == 200);
  CHECK(page.body.find(R"("kind":"reserve","amount":3,"job":2)") <
        page.body.find(R"("kind":"reserve","amount":3,"job":1)"));
  CHECK(member(page, "next") == "2");
  const WebReply rest = a.as("boss", "GET", a.at("credits/history?before=2"));
  CHECK(rest.body.find(R"("kind":"grant","amount":10,"job":null,"detail":"gift")") !=
        std::string::npos);
  CHECK(member(rest, "next") == "null");
  CHECK(a.as("operator", "GET", a.at("credits/history")).status == 404);
  CHECK(a.as("adder", "GET", a.at("credits/history?before=x")).status == 400);
}

TEST_CASE("S4-14: failed jobs are counted by reason and listed by it, each user's own") {
  ApiBench b;
  const auto fail = [&](const std::string& who, const std::string& reason) {
    const JobId id = b.add_for(who);
    const WorkerId worker = b.store().workers().enlist("w", b.clock.now());
    const auto claims = b.store().jobs().claim(
        {.lifecycle = &kBatch, .lane = b.store().reader().find(id)->lane, .worker = worker},
        b.clock.now());
    const Ask ask{
        .version = claims.at(0).version, .on = On::fail, .worker = worker, .reason = reason};
    REQUIRE(b.store().jobs().move({&ask, 1}, b.clock.now()).front());
    return id;
  };
  fail("adder", "http_500");
  fail("adder", "timeout");
  fail("boss", "timeout");

  CHECK(member(b.get("/api/v1/reasons?lifecycle=batch&state=failed"), "items") ==
        R"([{"count":2,"reason":"timeout"},{"count":1,"reason":"http_500"}])");
  CHECK(member(b.as("adder", "GET", "/api/v1/reasons"), "items") ==
        R"([{"count":1,"reason":"http_500"},{"count":1,"reason":"timeout"}])");
  CHECK(member(b.get("/api/v1/reasons?lifecycle=image"), "items") == "[]");
  CHECK(b.store().reader().list({.reason = "timeout"}).jobs.size() == 2);
  for (const char* query : {"reason=timeout", "reason=timeout&end=bad", "reason=timeout&owner=1"}) {
    const WebReply listed = b.get(fmt::format("/api/v1/jobs?{}", query));
    CHECK(listed.status == 200);
    CHECK(listed.body.find("http_500") == std::string::npos);
  }
}

TEST_CASE("A4-11: the result of an image names its assets by stable addresses") {
  PaidApi a;
  a.ask("a cat");
  const std::string result = "/api/v1/jobs/1/result";
  CHECK(a.as("adder", "GET", result).body ==
        R"({"success":false,"assets":[],"error_message":null})");

  const WorkerId worker = a.store().workers().enlist("w", a.clock.now());
  const auto claims =
      a.store().jobs().claim({.lifecycle = &kImage, .worker = worker}, a.clock.now());
  Ask ask{.version = claims.at(0).version, .on = On::landed, .worker = worker};
  ask.proof = {Proof::evidence, "{}"};
  ask.assets = {{.media_type = "image", .path = "originals/1/0.png", .size = 5}};
  ask.result = result;
  REQUIRE(a.store().jobs().move({&ask, 1}, a.clock.now()).front());
  CHECK(a.as("adder", "GET", result).body ==
        R"({"success":true,"assets":[{"id":1,"url":"/api/v1/assets/1/file",)"
        R"("thumbnail_url":"/api/v1/assets/1/file?size=thumbnail","size":5}],)"
        R"("error_message":null})");
}

}  // namespace haul::testing

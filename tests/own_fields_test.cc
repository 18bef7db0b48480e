// A lifecycle whose fields have names that no other one has. What haul does with a field, such as
// hiding it or asking whether its engine is ready, follows its row.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>
#include <vector>

#include "api/json/job_json.h"
#include "flow/user/user.h"
#include "lifecycle/check.h"
#include "seventh/errand.h"
#include "support/api/api_bench.h"

namespace haul {
namespace {

using namespace haul::testing;
using enum FieldType;

// clang-format off
constexpr RequestField kCustomsFields[] = {
    {"country", text, "Where it is declared", false, 0, 50},
    RequestField{"seal", text, "Number of the seal", false, 0, 50}.hidden_as(Secret::whole),
};
constexpr RequestField kFreightFields[] = {
    {"cargo", text, "What is carried", true, 1, 50},
    RequestField{"vehicle", text, "What carries it", false, 0, 10, {"van", "barge"}}
        .used_as(FieldUse::engine),
    RequestField{"pin", text, "Opens the gate", false, 0, 50}.hidden_as(Secret::whole),
    RequestField{"dock", number, "Door of the dock", false, 0, 9'999}.hidden_as(Secret::whole),
    RequestField{"codes", list, "Open the doors", false, 0, 9}.hidden_as(Secret::whole),
    RequestField{"stamps", list, "As Name: value", false, 0, 9}.hidden_as(Secret::header_value),
    RequestField{"route", text, "Over this proxy", false, 0, 90}.hidden_as(Secret::proxy_login),
    {"passes", logins, "Logins by origin", false, 0, 9},
    {"customs", object, "For the border", false, 0, 0, {}, nullptr, kCustomsFields},
    // Names that are secret in a batch.
    {"headers", list, "Lines above the letter", false, 0, 9},
    {"proxy", text, "Who signs for it", false, 0, 90},
};
// clang-format on

constexpr Lifecycle kFreight{
    .name = "freight",
    .states = kErrand.states,
    .moves = kErrand.moves,
    .request = {kFreightFields},
    .again = {{"dropped"}, KeyScope::while_open},
    .attempts_max = 2,
    .backoff = kErrand.backoff,
};

// An API that has no barge.
struct Harbour {
  Harbour() {
    api.lacks = [this](const Lifecycle&, std::string_view engine) {
      return std::string{has_barge || engine != "barge" ? "" : "buy a barge"};
    };
  }

  WebReply add(const std::string& request) {
    return api.post("/api/v1/jobs",
                    fmt::format(R"({{"lifecycle":"freight","request":{}}})", request));
  }
  // The job is claimed and fails.
  void drop(JobId id) {
    const Time now = api.clock.now();
    const WorkerId worker = api.store().workers().enlist("w", now);
    const auto claims =
        api.store().jobs().claim({.lifecycle = &kFreight, .worker = worker, .limit = 1}, now);
    REQUIRE(claims.size() == 1);
    REQUIRE((claims.front().version.id == id));
    const Ask ask{
        .version = claims.front().version, .on = On::fail, .worker = worker, .reason = "rain"};
    REQUIRE(api.store().jobs().move({&ask, 1}, now).front());
  }

  OwnLifecycle registered{kFreight};
  ApiBench api;
  bool has_barge = false;
};

std::string shown(const std::string& request) {
  return api::shown_request(kFreight, request, api::Viewer::owner);
}

}  // namespace

TEST_CASE("the table of these tests passes the check") {
  CHECK((check(kFreight) == Problem::none));
}

TEST_CASE("a field that its row calls secret is masked, whatever its name") {
  CHECK(shown(R"({"cargo":"a lamp","pin":"canary"})") == R"({"cargo":"a lamp","pin":"***"})");
  CHECK(shown(R"({"dock":7})") == R"({"dock":"***"})");
  CHECK(shown(R"({"pin":null})") == R"({"pin":null})");
  CHECK(shown(R"({"codes":["canary","canary"]})") == R"({"codes":["***","***"]})");
  CHECK(shown(R"({"stamps":["Dover: canary","canary"]})") == R"({"stamps":["Dover: ***","***"]})");
  CHECK(shown(R"({"route":"http://ann:canary@h:1"})") == R"({"route":"http://***@h:1"})");
  CHECK(shown(R"({"passes":{"http://h":"ann:canary"}})") == R"({"passes":{"http://h":"***"}})");
  CHECK(shown(R"({"customs":{"country":"x","seal":"canary"}})") ==
        R"({"customs":{"country":"x","seal":"***"}})");
}

TEST_CASE("a field that its row does not call secret is shown, even if another's of its name is") {
  for (const char* request :
       {R"({"cargo":"a lamp","headers":["Dear: Ann"]})", R"({"proxy":"ann:x@h"})",
        R"({"cargo":"pin","customs":{"country":"seal"}})", R"({"seal":"of the cargo"})"})
    CHECK(shown(request) == request);
}

TEST_CASE("no answer about a job tells what its lifecycle calls secret") {
  Harbour h;
  const WebReply added =
      h.add(R"({"cargo":"a lamp","pin":"canary","codes":["canary"],)"
            R"("passes":{"http://h":"ann:canary"},"customs":{"seal":"canary"}})");
  REQUIRE_MESSAGE(added.status == 201, added.body);
  for (const WebReply& reply :
       {added, h.api.get("/api/v1/jobs/1"), h.api.get("/api/v1/jobs"),
        h.api.get("/api/v1/jobs/1/events"), h.api.post("/api/v1/jobs/1/pause")}) {
    CHECK(reply.status < 300);
    CHECK_FALSE(reply.body.contains("canary"));
  }
  CHECK(h.api.get("/api/v1/jobs/1").body.contains(R"("pin":"***")"));
}

TEST_CASE("Z-30: the engine that a request names must be ready, whatever the field's name") {
  Harbour h;
  const WebReply refused = h.add(R"({"cargo":"a lamp","vehicle":"barge"})");
  CHECK(refused.status == 422);
  CHECK(member(refused, "code") == "not_configured");
  CHECK(member(refused, "detail") == "this daemon cannot run this freight job: buy a barge");
  CHECK(h.add(R"({"cargo":"barge","vehicle":"van"})").status == 201);
  CHECK(h.add(R"({"cargo":"barge"})").status == 201);
}

TEST_CASE("Z-30: a retry asks whether the engine of the old request is ready") {
  Harbour h;
  h.has_barge = true;
  REQUIRE(h.add(R"({"cargo":"a lamp","vehicle":"barge"})").status == 201);
  h.drop(JobId{1});
  const auto retry = [&] {
    return flow::retry(h.api.store(), JobId{1}, h.api.clock.now(), h.api.work);
  };

  h.has_barge = false;
  const auto refused = retry();
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == "not_configured");
  CHECK(refused.error().detail == "buy a barge");

  h.has_barge = true;
  CHECK(retry().has_value());
}

}  // namespace haul

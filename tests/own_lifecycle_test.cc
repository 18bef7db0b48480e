// The seventh lifecycle of tests/seventh/errand.h runs through add, worker, API and descriptions
// without a line of code elsewhere. web/tests/seventh.spec.mjs shows the same on the page.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "flow/user/user.h"
#include "flow/user/why.h"
#include "flow/worker/worker.h"
#include "lifecycle/check.h"
#include "seventh/errand.h"
#include "support/api/api_bench.h"
#include "support/process/ending.h"

namespace haul {
namespace {

using namespace std::chrono_literals;
using namespace row;
using namespace haul::testing;
using enum Step;
using enum Leased;

// A lifecycle whose first state is leased: a claim gives the job a worker without a move.
// clang-format off
constexpr State kBornLeasedStates[] = {
    {"carrying", End::open, transfer, yes, 1h, kNever, "dropped", kAdopt, "called_off"},
    {"there",    End::good},
    {"dropped",  End::bad},
    {"called_off", End::stopped},
};

constexpr Move kBornLeasedMoves[] = {
    {{"carrying"}, On::landed, By::worker, "there",      "test", {.needs = Proof::evidence}},
    {{"carrying"}, On::fail,   By::worker, "dropped",    "test"},
    {{"carrying"}, On::cancel, By::user,   "called_off", "test",
     {.guards = {Guard::owner_or_admin}}},
};
// clang-format on

constexpr Lifecycle kBornLeased{
    .name = "born_leased",
    .states = kBornLeasedStates,
    .moves = kBornLeasedMoves,
    .request = kErrand.request,
};

struct Errands {
  Errands() : worker{hire()} {}

  // With the list of work that the API has.
  std::unique_ptr<flow::Worker> hire() {
    return std::make_unique<flow::Worker>(api.store(), api.work, api.clock, random,
                                          flow::Settings{}, "errands");
  }
  void after(Millis passed) {
    api.clock.pass(passed);
    worker->tick();
  }
  WebReply try_to_add(const std::string& parcel) {
    return api.post("/api/v1/jobs",
                    fmt::format(R"({{"lifecycle":"errand","request":{{"parcel":"{}"}}}})", parcel));
  }
  JobId add(const std::string& parcel) {
    const WebReply reply = try_to_add(parcel);
    REQUIRE_MESSAGE(reply.status == 201, reply.body);
    return JobId{++added};
  }
  void tell(JobId id, What what) {
    testing::tell(*worker, api.store(), id, std::move(what));
    worker->tick();
  }
  std::string state(JobId id) { return std::string{api.store().reader().find(id)->version.state}; }
  std::string asked() {
    std::string text;
    for (const std::string& call : calls) text += (text.empty() ? "" : ", ") + call;
    calls.clear();
    return text;
  }

  OwnLifecycle registered{kErrand};
  std::vector<std::string> calls;
  std::string lacks;  // What must be configured before it is ready.
  ApiBench api{open_test_store(Bench::kStart),
               std::vector{errand_work([this](const std::string& call) { calls.push_back(call); },
                                       [this] { return lacks; })}};
  NoChance random;
  std::unique_ptr<flow::Worker> worker;
  std::int64_t added = 0;
};

}  // namespace

// Not at compile time: with a sanitizer the address of an inline table is no constant.
TEST_CASE("the tables of these tests pass the check") {
  CHECK((check(kErrand) == Problem::none));
  CHECK((check(kBornLeased) == Problem::none));
}

TEST_CASE("a seventh lifecycle runs from the API through a worker to its end") {
  Errands e;
  const JobId id = e.add("a lamp");
  CHECK(e.state(id) == "waiting");
  e.after(0s);
  CHECK(e.asked() == "begin 1");
  CHECK(e.state(id) == "carrying");
  e.tell(id, Finished{.path = "/there", .size = 1, .evidence = "{}"});
  CHECK(e.state(id) == "there");
  CHECK(e.api.get("/api/v1/jobs/1").body.find(R"("end":"good")") != std::string::npos);
}

TEST_CASE("a lifecycle with the name of another one is not registered") {
  static constexpr Lifecycle kImpostor{
      .name = "book", .states = kErrand.states, .moves = kErrand.moves, .request = kErrand.request};
  const Ending impostor = ending_of([] { const OwnLifecycle registered{kImpostor}; });
  CHECK(impostor.signal == SIGABRT);
  CHECK(impostor.text.starts_with("haul: broken: each lifecycle has a name of its own"));

  CHECK(ending_of([] { const OwnLifecycle registered{kErrand}; }).signal == 0);
}

TEST_CASE("its request is checked by its fields, its key by its table") {
  Errands e;
  const auto post = [&](const std::string& request) {
    return e.api.post("/api/v1/jobs",
                      fmt::format(R"({{"lifecycle":"errand","request":{}}})", request));
  };
  CHECK(post(R"({"weight":3})").status / 100 == 4);
  CHECK(post(R"({"parcel":"a lamp","weight":41})").status / 100 == 4);
  CHECK(post(R"({"parcel":"a lamp","weight":40})").status == 201);
  const WebReply again = post(R"({"parcel":"a lamp","weight":40})");
  CHECK(again.status == 200);
}

TEST_CASE("only an admin names a file of the server, even if no worker here does such jobs") {
  Errands e;
  api::Api without_work{{.store = e.api.store(),
                         .clock = e.api.clock,
                         .settings = {},
                         .live = e.api.live,
                         .progress = e.api.progress,
                         .meter = e.api.meter,
                         .wake = {},
                         .files = {},
                         .allowed_hosts = {},
                         .folder = "/srv/haul",
                         .work = {},
                         .version = "1.2.3"}};
  const auto status = [&](const std::string& who, const std::string& request) {
    WebRequest asked = ApiBench::request(
        "POST", "/api/v1/jobs", fmt::format(R"({{"lifecycle":"errand","request":{}}})", request));
    asked.headers.emplace_back("x-api-key", e.api.keys.at(who));
    return without_work.answer(asked).status;
  };

  CHECK(status("operator", R"({"parcel":"a lamp","map":"/etc/passwd"})") == 403);
  CHECK(status("operator", R"({"parcel":"a lamp"})") == 201);
  CHECK(status("boss", R"({"parcel":"a lamp","map":"/etc/passwd"})") == 201);
}

TEST_CASE("a job that a worker has without a move shows what its user has asked for") {
  const OwnLifecycle registered{kBornLeased};
  ApiBench b;
  const WebReply added =
      b.post("/api/v1/jobs", R"({"lifecycle":"born_leased","request":{"parcel":"a lamp"}})");
  REQUIRE_MESSAGE(added.status == 201, added.body);
  const auto allowed = [&] { return member(b.get("/api/v1/jobs/1"), "allowed"); };
  CHECK(allowed() == R"(["cancel","pause"])");

  const WorkerId worker = b.store().workers().enlist("w", b.clock.now());
  const ClaimRequest request{.lifecycle = &kBornLeased, .worker = worker, .limit = 1};
  REQUIRE(b.store().jobs().claim(request, b.clock.now()).size() == 1);
  REQUIRE(b.store().reader().find(JobId{1})->version.seq == 0);
  CHECK(allowed() == R"(["cancel","pause"])");
  CHECK(b.post("/api/v1/jobs/1/cancel").status == 202);

  CHECK(allowed() == "[]");
  CHECK(b.get("/api/v1/jobs").body.find(R"("allowed":[])") != std::string::npos);
}

TEST_CASE("its faults, losses and attempts follow its rows") {
  Errands e;
  const JobId id = e.add("a lamp");
  e.after(0s);
  e.tell(id, Failed{.fault = {FaultKind::retryable, "rain", ""}, .checkpoint = {}});
  CHECK(e.state(id) == "waiting");
  e.after(9'999ms);
  CHECK(e.state(id) == "waiting");
  e.after(1ms);
  CHECK(e.state(id) == "carrying");
  e.tell(id, Failed{.fault = {FaultKind::retryable, "rain", ""}, .checkpoint = {}});
  CHECK(e.state(id) == "dropped");

  const JobId lost = e.add("a vase");
  e.after(0s);
  CHECK(e.state(lost) == "carrying");
  e.worker = e.hire();  // The old one is gone without a word.
  e.after(1s);
  e.after(8s);
  CHECK(e.api.store().reader().find(lost)->version.attempt == 1);
}

TEST_CASE("a cancel stops its handler first") {
  Errands e;
  const JobId id = e.add("a lamp");
  e.after(0s);
  e.asked();
  CHECK(e.api.post("/api/v1/jobs/1/cancel").status == 202);
  e.after(1s);
  CHECK(e.asked() == "stop 1");
  CHECK(e.state(id) == "carrying");
  e.tell(id, Stopped{});
  CHECK(e.state(id) == "called_off");
}

TEST_CASE("a pause that its handler does not answer stops it once, and is granted after 2 s") {
  Errands e;
  const JobId id = e.add("a lamp");
  e.after(0s);
  e.asked();
  REQUIRE(flow::pause(e.api.store(), id, e.api.clock.now()).wished);
  e.after(1s);
  CHECK(e.asked() == "stop 1");
  e.after(999ms);
  CHECK(e.state(id) == "carrying");
  e.after(1ms);
  CHECK(e.state(id) == "waiting");
  CHECK(e.api.store().reader().find(id)->paused);
  CHECK(e.asked().empty());
}

TEST_CASE("a shutdown stops its handler once, and releases the job") {
  Errands e;
  const JobId id = e.add("a lamp");
  e.after(0s);
  e.asked();
  CHECK_FALSE(e.worker->wind_down());
  e.worker->stop();
  CHECK(e.asked() == "stop 1");
  CHECK(e.state(id) == "waiting");
}

TEST_CASE("Z-30: until what it needs is configured, a job waits and no other is added") {
  Errands e;
  const JobId id = e.add("a lamp");
  e.lacks = "configure errand.bicycle";
  e.after(0s);
  CHECK(e.asked().empty());
  CHECK(e.state(id) == "waiting");
  CHECK(member(e.api.get("/api/v1/jobs/1/why"), "code") == "not_configured");
  CHECK(member(e.api.get("/api/v1/lifecycles/errand"), "not_ready") == e.lacks);

  const WebReply refused = e.try_to_add("a vase");
  CHECK(refused.status == 422);
  CHECK(member(refused, "code") == "not_configured");
  CHECK(refused.body.find(e.lacks) != std::string::npos);
  CHECK_FALSE(e.api.store().reader().find(JobId{2}));

  e.lacks.clear();
  e.after(1s);
  CHECK(e.asked() == "begin 1");
  CHECK(e.state(id) == "carrying");
  CHECK(e.try_to_add("a vase").status == 201);
}

// The page's tests read the file: web/src/seventh.test.ts and web/tests/mock_seventh.spec.mjs.
TEST_CASE("the seventh lifecycle of the page's tests is what the API prints for this one") {
  Errands e;
  std::ifstream file{HAUL_SOURCE_DIR "/web/mock/errand.json"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  const std::string printed = e.api.get("/api/v1/lifecycles/errand").body;

  CHECK(canonical(text).value() == canonical(printed).value());
  CHECK(e.api.get("/api/v1/lifecycles").body.find(printed) != std::string::npos);
}

TEST_CASE("it is described where the others are: the API, its form, and why") {
  Errands e;
  const std::string all = e.api.get("/api/v1/lifecycles").body;
  CHECK(all.find(R"("errand")") != std::string::npos);
  CHECK(all.find("What is carried") != std::string::npos);
  CHECK(e.api.get("/api/v1/openapi.json").body.find("What is carried") != std::string::npos);
  const JobId id = e.add("a lamp");
  e.after(0s);
  CHECK(e.api.get(fmt::format("/api/v1/jobs/{}/why", id.value)).status == 200);
}

}  // namespace haul

// What the log and the audit log record about failures and logins.

#include "api/handlers/login_trail.h"

#include <doctest/doctest.h>

#include "api/add/add_transaction.h"
#include "support/api/api_bench.h"
#include "support/store/test_store.h"

namespace haul::testing {
namespace {

// "LOGIN_FAILED: user 3" for each entry, oldest first.
std::string audited(ApiBench& b) {
  std::string out;
  for (const AuditEntry& entry : b.store().ledger().audits(0, 100))
    out += fmt::format("{}: {}\n", entry.action, entry.detail);
  return out;
}

WebReply log_in(ApiBench& b, const std::string& body, const std::string& peer = "192.0.2.1") {
  WebRequest asked = ApiBench::request("POST", "/api/v1/login", body);
  asked.peer = peer;
  return b.api.answer(asked);
}
std::string by_name(const std::string& name, const std::string& password) {
  return fmt::format(R"({{"name":"{}","password":"{}"}})", name, password);
}
std::string by_key(const std::string& key) { return fmt::format(R"({{"key":"{}"}})", key); }

// A store that fails to write from now on.
struct Broken {
  bool now = false;
  std::unique_ptr<Store> store = open_test_store(Bench::kStart, [this](CommitPhase phase) {
    if (now && phase == CommitPhase::before)
      throw std::runtime_error{"lost http://user:canary@h/ to the void"};
  });
};

}  // namespace

TEST_CASE("a 500 logs one line with its correlation id, its route and the exception") {
  Broken broken;
  ApiBench b{std::move(broken.store)};
  broken.now = true;

  const WebReply reply = b.post("/api/v1/users", R"({"name":"new"})");

  CHECK(reply.status == 500);
  CHECK(reply.body.find("void") == std::string::npos);
  CHECK(b.log == fmt::format("request_failed correlation_id={} route=POST /api/v1/users "
                             "detail=lost http://***@h/ to the void\n",
                             header_of(reply, "X-Correlation-Id")));
  CHECK(member(reply, "correlation_id") == header_of(reply, "X-Correlation-Id"));
}

TEST_CASE("each add of a failed group logs its own line; a refusal logs none") {
  Broken broken;
  ApiBench b{std::move(broken.store)};
  b.get("/api/v1/me");  // Its use is written, once a minute.
  b.log.clear();
  broken.now = true;
  const std::string job = R"({"lifecycle":"batch","request":{"url":"http://h/a"}})";
  api::AddTransaction group{b.api};
  for (const std::string& body : {job, std::string{"{}"}, job}) {
    WebRequest request = ApiBench::request("POST", "/api/v1/jobs", body);
    request.headers.emplace_back("x-api-key", b.keys.at("boss"));
    request.headers.emplace_back("x-correlation-id", fmt::format("r{}", body.size()));
    group.read(request);
  }

  group.add();
  group.answer([](const WebReply&) {});

  const std::string line =
      fmt::format("request_failed correlation_id=r{} route=POST /api/v1/jobs ", job.size());
  CHECK(b.log.starts_with(line));
  CHECK(b.log.find(line, 1) != std::string::npos);
  CHECK(std::ranges::count(b.log, '\n') >= 2);
  CHECK(b.get("/api/v1/nowhere").status == 404);
  CHECK(b.log.find("nowhere") == std::string::npos);
}

TEST_CASE("wrong keys are logged three at once, then once a minute per address") {
  ApiBench b;
  const auto lines = [&](const std::string& peer) {
    b.log.clear();
    log_in(b, by_key(make_api_key()), peer);
    WebRequest asked = ApiBench::request("GET", "/api/v1/jobs");
    asked.headers.emplace_back("x-api-key", make_api_key());
    asked.peer = peer;
    CHECK(b.api.answer(asked).status == 401);
    return b.log;
  };
  const std::string line = "login_failed address=192.0.2.1 by=key\n";

  CHECK(lines("192.0.2.1") == line + line);
  CHECK(lines("192.0.2.1") == line);
  CHECK(lines("192.0.2.1").empty());
  CHECK(lines("192.0.2.2") ==
        "login_failed address=192.0.2.2 by=key\n"
        "login_failed address=192.0.2.2 by=key\n");

  b.clock.pass(Millis{59'999});
  CHECK(lines("192.0.2.1").empty());
  b.clock.pass(Millis{1});
  CHECK(lines("192.0.2.1") == line);
  CHECK(audited(b).empty());
}

TEST_CASE("wrong keys beyond the limit of their address are logged as locked out") {
  ApiBench b;
  for (int i = 0; i < 21; ++i) log_in(b, by_key(make_api_key()));

  CHECK(b.log.ends_with(
      "locked_out address=192.0.2.1 by=key reason=too many wrong keys from this address\n"));
}

TEST_CASE("failed logins and lockouts of a user are audited; those of unknown names are not") {
  ApiBench b;
  const std::int64_t id = b.users["adder"].id.value;
  for (int i = 0; i < 4; ++i) CHECK(log_in(b, by_name("adder", "guess")).status == 401);
  const std::string failed = fmt::format("LOGIN_FAILED: user {}\n", id);
  CHECK(audited(b) == failed + failed + failed + failed);
  CHECK(b.log.find("locked_out") == std::string::npos);

  CHECK(log_in(b, by_name("adder", "guess")).status == 401);
  const std::string locked =
      failed + failed + failed + failed + failed +
      fmt::format("LOCKED_OUT: user {} until {}\n", id, to_iso(b.clock.now() + Millis{1'000}));
  CHECK(audited(b) == locked);
  const std::string line = fmt::format(
      "locked_out address=192.0.2.1 by=password user={} reason=too many failed logins with this "
      "name\n",
      id);
  CHECK(b.log.ends_with(line));

  CHECK(log_in(b, by_name("adder", "guess")).status == 429);  // Logged, but not audited again.
  CHECK(b.log.ends_with(line + line));
  for (int i = 0; i < 6; ++i) log_in(b, by_name("hunter2", "guess"), "192.0.2.2");
  CHECK(audited(b) == locked);
  CHECK(b.log.find("hunter2") == std::string::npos);
  CHECK(b.log.find("login_failed address=192.0.2.2 by=password\n") != std::string::npos);
}

TEST_CASE("a login is audited with its method, key or password") {
  ApiBench b;
  const std::int64_t id = b.users["adder"].id.value;
  REQUIRE(b.post(fmt::format("/api/v1/users/{}", id), R"({"password":"correct horse"})").status ==
          200);

  CHECK(log_in(b, by_name("adder", "correct horse")).status == 200);
  CHECK(log_in(b, by_key(b.keys["adder"])).status == 200);

  CHECK(audited(b) == fmt::format("PASSWORD_SET: user {0}\nLOGGED_IN: user {0} by password\n"
                                  "LOGGED_IN: user {0} by key\n",
                                  id));
  CHECK(b.log.empty());
}

}  // namespace haul::testing

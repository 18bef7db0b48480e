// Z-16: what admins and operators do to other users' objects is audited.

#include <doctest/doctest.h>

#include "api/add/add_transaction.h"
#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

// "JOB_PAUSED 1: job of user 3" for each entry, oldest first.
std::string audited(ApiBench& b) {
  std::string out;
  for (const AuditEntry& entry : b.store().ledger().audits(0, 100))
    out += fmt::format("{}{}: {}\n", entry.action,
                       entry.job ? fmt::format(" {}", entry.job.value) : "", entry.detail);
  return out;
}

std::string job_path(JobId id, const char* act) {
  return fmt::format("/api/v1/jobs/{}/{}", id.value, act);
}

std::string job_for(UserId owner) {
  return fmt::format(R"({{"lifecycle":"batch","owner":{},"request":{{"url":"http://h/a"}}}})",
                     owner.value);
}

}  // namespace

TEST_CASE("Z-16: every route that changes something has an audit action") {
  int changing = 0;
  for (const api::Route& route : api::routes()) {
    CAPTURE(route.pattern);
    if (route.method == "GET" || route.need == api::Need::none) {
      CHECK((route.audit == api::Audit::none));
      continue;
    }
    ++changing;
    CHECK((route.audit != api::Audit::none));
    CHECK_FALSE(route.action.empty());
    if (route.need == api::Need::admin) CHECK((route.audit != api::Audit::of_others));
  }
  CHECK(changing >= 12);
}

TEST_CASE("Z-16: an operator's acts on another user's job are audited; an owner's own are not") {
  ApiBench b;
  const UserId owner = b.users["adder"].id;
  const JobId job = b.add_for("adder");
  for (const char* act : {"pause", "resume"})
    REQUIRE(b.as("adder", "POST", job_path(job, act)).status == 200);
  REQUIRE(audited(b).empty());

  for (const char* act : {"pause", "resume", "cancel"})
    CHECK(b.as("operator", "POST", job_path(job, act)).status == 200);
  CHECK(b.as("operator", "POST", job_path(job, "cancel")).status == 409);
  CHECK(b.as("operator", "GET", fmt::format("/api/v1/jobs/{}", job.value)).status == 200);

  const std::string of = fmt::format(" {}: job of user {}\n", job.value, owner.value);
  CHECK(audited(b) == "JOB_PAUSED" + of + "JOB_RESUMED" + of + "JOB_CANCELLED" + of);
}

TEST_CASE("Z-16, Z-8: an operator's retry of another user's job is audited") {
  ApiBench b;
  const NewJob media{
      .lifecycle = &kMedia, .owner = b.users["adder"].id, .request = request_for(kMedia)};
  const JobId job = b.store().jobs().add({&media, 1}, b.clock.now()).front().value().id;
  const Ask cancel{.version = b.store().reader().find(job)->version,
                   .on = On::cancel,
                   .by = By::user,
                   .holds = {Guard::owner_or_admin}};
  REQUIRE(b.store().jobs().move({&cancel, 1}, b.clock.now()).front());

  const int status = b.as("boss", "POST", job_path(job, "retry")).status;

  CHECK(status / 100 == 2);
  CHECK(audited(b).starts_with(fmt::format("JOB_RETRIED {}: ", job.value)));
}

TEST_CASE("Z-26: jobs that an operator adds for others are audited, alone, in a list and grouped") {
  ApiBench b;
  const UserId owner = b.users["adder"].id;
  const std::string of = fmt::format(": job of user {}\n", owner.value);
  REQUIRE(b.as("adder", "POST", "/api/v1/jobs", job_for(owner)).status == 201);
  REQUIRE(audited(b).empty());

  const WebFields key{{"idempotency-key", "k"}};
  for (const int status : {201, 200})  // The second finds the first's job.
    CHECK(b.as("operator", "POST", "/api/v1/jobs", job_for(owner), key).status == status);
  CHECK(audited(b) == "JOB_ADDED 2" + of);

  const std::string own = job_for(b.users["operator"].id);
  const std::string list = "[" + job_for(owner) + "," + own + "," + job_for(owner) + "]";
  CHECK(b.as("operator", "POST", "/api/v1/jobs/batch", list).status == 200);
  CHECK(audited(b) == "JOB_ADDED 2" + of + "JOB_ADDED 3" + of + "JOB_ADDED 5" + of);

  api::AddTransaction group{b.api};
  for (const char* who : {"adder", "operator"}) {
    WebRequest request = ApiBench::request("POST", "/api/v1/jobs", job_for(owner));
    request.headers.emplace_back("x-api-key", b.keys.at(who));
    group.read(request);
  }
  group.add();
  CHECK(audited(b).ends_with("JOB_ADDED 5" + of + "JOB_ADDED 7" + of));
}

TEST_CASE("Z-16: what an admin does to keys, users and credits is audited, once each") {
  ApiBench b;
  const std::string user = std::to_string(b.users["adder"].id.value);
  const std::string path = "/api/v1/users/" + user;
  const WebReply key = b.post("/api/v1/keys", R"({"name":"x","user":)" + user + "}");
  REQUIRE(key.status == 201);
  const std::string key_id = member(key, "id");
  REQUIRE(b.as("boss", "DELETE", "/api/v1/keys/" + key_id).status == 204);
  REQUIRE(b.post("/api/v1/users", R"({"name":"new"})").status == 201);
  REQUIRE(b.post(path, R"({"password":"correct horse","role":"viewer"})").status == 200);
  const WebFields once{{"idempotency-key", "k"}};
  for (int i = 0; i < 2; ++i)
    REQUIRE(b.post(path + "/credits", R"({"amount":5})", once).status == 200);
  REQUIRE(b.post("/api/v1/users/999", R"({"role":"viewer"})").status == 404);

  CHECK(audited(b) == fmt::format("KEY_ADDED: key {0} of user {1}\n"
                                  "KEY_REVOKED: key {0} of user {1}\n"
                                  "USER_ADDED: user 6 as adder\n"
                                  "PASSWORD_SET: user {1}\n"
                                  "USER_SET: user {1}: viewer, active\n"
                                  "CREDITS_GRANTED: 5 to user {1}\n"
                                  "CREDITS_REPEATED: 5 to user {1}\n",
                                  key_id, user));
}

TEST_CASE("credits are granted once for each Idempotency-Key, and never without one") {
  ApiBench b;
  const std::string path = fmt::format("/api/v1/users/{}/credits", b.users["adder"].id.value);
  const std::string body = R"({"amount":5,"detail":"march"})";
  const auto grant = [&](const std::string& who, const std::string& key, const std::string& what) {
    return b.as(who, "POST", path, what, {{"idempotency-key", key}});
  };
  const WebReply without = b.post(path, body);
  CHECK(without.status == 400);
  CHECK(member(without, "code") == "missing_key");
  CHECK(member(without, "fields") == R"({"Idempotency-Key":"required"})");
  CHECK(member(b.get(path), "granted") == "0");

  CHECK(member(grant("boss", "k", body), "replayed") == "false");
  const WebReply again = grant("boss", "k", body);
  CHECK(member(again, "granted") == "5");
  CHECK(member(again, "replayed") == "true");
  CHECK(grant("boss", "k", R"({"amount":6,"detail":"march"})").status == 409);
  CHECK(member(b.get(path), "granted") == "5");

  CHECK(member(grant("boss", "l", body), "granted") == "10");
  b.users["chief"] = b.store().users().add("chief", Role::admin, b.clock.now()).value();
  b.keys["chief"] = b.make_key(b.users["chief"].id, Scopes::all());
  // The same key from another admin is another key.
  CHECK(member(grant("chief", "k", body), "granted") == "15");
  CHECK(grant("boss", std::string(200, 'k'), body).status == 200);
  CHECK(grant("boss", std::string(201, 'k'), body).status == 400);
}

TEST_CASE("no admin can block user 1 or give a key the name admin.key") {
  ApiBench b;
  const WebReply blocked = b.post("/api/v1/users/1", R"({"status":"blocked"})");
  CHECK(blocked.status == 422);
  CHECK(member(blocked, "code") == "first_admin");
  CHECK(b.post("/api/v1/users/1", R"({"role":"viewer"})").status == 422);
  CHECK(b.post("/api/v1/keys", R"({"name":"admin.key"})").status == 400);
}

}  // namespace haul::testing

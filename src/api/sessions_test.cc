// What a key or a session allows, and when it stops.

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

// The headers of a session opened with this body.
WebFields session_of(ApiBench& b, const std::string& body) {
  const WebReply reply = b.as("", "POST", "/api/v1/login", body);
  REQUIRE(reply.status == 200);
  const std::string cookie = header_of(reply, "Set-Cookie");
  return {{"cookie", cookie.substr(0, cookie.find(';'))}, {"x-haul", "1"}};
}
WebFields session_by_key(ApiBench& b, const std::string& who) {
  return session_of(b, R"({"key":")" + b.keys.at(who) + R"("})");
}

std::string scopes_of(ApiBench& b, const WebFields& session) {
  return member(b.as("", "GET", "/api/v1/me", "", session), "scopes");
}

std::string key_id(ApiBench& b, const std::string& who) {
  const auto prefix = api_key_prefix(b.keys.at(who)).value();
  return std::to_string(b.store().access().keys().live(prefix, b.clock.now()).value().key.id.value);
}

}  // namespace

TEST_CASE("a session has no more scopes than the key that opened it, whatever the user's role") {
  ApiBench b;
  for (const char* user : {"boss", "operator", "adder"}) {
    b.keys["narrow"] = b.make_key(b.users[user].id, {Scope::read});
    const WebFields session = session_by_key(b, "narrow");
    CAPTURE(user);

    CHECK(scopes_of(b, session) == R"(["read"])");
    CHECK(b.as("", "POST", "/api/v1/jobs", "{}", session).status == 403);
    CHECK(b.as("", "GET", "/api/v1/users", "", session).status == 403);
    CHECK(b.as("", "POST", "/api/v1/keys", R"({"name":"x","scopes":["read","add"]})", session)
              .status == 403);
    const WebReply made = b.as("", "POST", "/api/v1/keys", R"({"name":"x"})", session);
    CHECK(made.status == 201);
    CHECK(member(made, "scopes") == R"(["read"])");
  }
}

TEST_CASE(
    "a session opened with an unrestricted key or a password has the scopes of the user's role") {
  ApiBench b;
  const std::string path = fmt::format("/api/v1/users/{}", b.users["operator"].id.value);
  REQUIRE(b.post(path, R"({"password":"correct horse"})").status == 200);
  const std::string all = R"(["read","add","operate"])";

  CHECK(scopes_of(b, session_by_key(b, "operator")) == all);
  CHECK(scopes_of(b, session_of(b, R"({"name":"operator","password":"correct horse"})")) == all);
}

TEST_CASE("a session ends with the key that opened it") {
  ApiBench b;
  const WebFields session = session_by_key(b, "adder");
  REQUIRE(b.as("", "GET", "/api/v1/me", "", session).status == 200);

  REQUIRE(b.as("adder", "DELETE", "/api/v1/keys/" + key_id(b, "adder")).status == 204);

  CHECK(b.as("", "GET", "/api/v1/me", "", session).status == 401);
}

TEST_CASE("blocking a user ends their sessions for good; unblocking restores their keys") {
  ApiBench b;
  const std::string path = fmt::format("/api/v1/users/{}", b.users["adder"].id.value);
  const WebFields session = session_by_key(b, "adder");
  REQUIRE(b.post(path, R"({"status":"blocked"})").status == 200);

  REQUIRE(b.post(path, R"({"status":"active"})").status == 200);

  CHECK(b.as("", "GET", "/api/v1/me", "", session).status == 401);
  CHECK(b.as("adder", "GET", "/api/v1/me").status == 200);
}

TEST_CASE("a new password has at least 8 characters") {
  ApiBench b;
  const std::string path = fmt::format("/api/v1/users/{}", b.users["adder"].id.value);

  const WebReply refused = b.post(path, R"({"password":"7 bytes"})");
  CHECK(refused.status == 400);
  CHECK(member(refused, "fields") == R"({"password":"a password has at least 8 characters"})");
  CHECK(b.post(path, R"({"password":"8 bytes."})").status == 200);
}

TEST_CASE("a refused change of a user keeps the password and writes no audit entry") {
  ApiBench b;
  REQUIRE(b.post("/api/v1/users/1", R"({"password":"correct horse"})").status == 200);
  const std::size_t audits = b.store().ledger().audits(0, 100).size();

  CHECK(b.post("/api/v1/users/1", R"({"password":"another horse","role":"viewer"})").status == 422);

  CHECK(b.store().ledger().audits(0, 100).size() == audits);
  session_of(b, R"({"name":"admin","password":"correct horse"})");
}

TEST_CASE("an event stream ends when its key is revoked, and other streams go on") {
  ApiBench b;
  b.keys["other"] = b.make_key(b.users["adder"].id, Scopes::all());
  const auto stream = b.as("adder", "GET", "/api/v1/events").stream;
  const auto other = b.as("other", "GET", "/api/v1/events").stream;
  REQUIRE(stream);

  REQUIRE(b.as("other", "DELETE", "/api/v1/keys/" + key_id(b, "adder")).status == 204);

  CHECK(b.ends(*stream));
  CHECK_FALSE(other->is_over());
}

TEST_CASE("an event stream ends when its user is blocked or demoted") {
  for (const char* change : {R"({"status":"blocked"})", R"({"role":"viewer"})"}) {
    ApiBench b;
    const auto stream = b.as("operator", "GET", "/api/v1/events").stream;
    const auto other = b.as("boss", "GET", "/api/v1/events").stream;
    CAPTURE(change);

    const std::string path = fmt::format("/api/v1/users/{}", b.users["operator"].id.value);
    REQUIRE(b.post(path, change).status == 200);

    CHECK(b.ends(*stream));
    CHECK_FALSE(other->is_over());
  }
}

TEST_CASE("an event stream ends with its session: at logout, and when its password changes") {
  ApiBench b;
  const WebFields first = session_by_key(b, "adder");
  const auto stream = b.as("", "GET", "/api/v1/events", "", first).stream;
  REQUIRE(b.as("", "POST", "/api/v1/logout", "", first).status == 204);
  CHECK(b.ends(*stream));

  const auto second = b.as("", "GET", "/api/v1/events", "", session_by_key(b, "adder")).stream;
  const std::string path = fmt::format("/api/v1/users/{}", b.users["adder"].id.value);
  REQUIRE(b.post(path, R"({"password":"correct horse"})").status == 200);
  CHECK(b.ends(*second));
}

TEST_CASE("an event stream ends when its session expires, without another request") {
  ApiBench b;
  const auto stream = b.as("", "GET", "/api/v1/events", "", session_by_key(b, "adder")).stream;
  const Millis lasts = std::chrono::hours{24 * 14};

  b.clock.pass(lasts - Millis{1});
  b.live.ring();
  const JobId job =
      b.add_for("adder");  // Once its event arrives, the credentials have been checked.
  b.live.ring();
  const std::string heard = b.hear(*stream, "\n\n");
  CHECK(heard.find(fmt::format("\"job\":{},", job.value)) != std::string::npos);
  CHECK_FALSE(stream->is_over());

  b.clock.pass(Millis{500});
  b.live.ring();
  CHECK(b.ends(*stream));
}

}  // namespace haul::testing

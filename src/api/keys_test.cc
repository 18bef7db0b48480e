// Which key may revoke which, and what is revoked with it.

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

std::string key_id(ApiBench& b, const std::string& who) {
  const auto prefix = api_key_prefix(b.keys.at(who)).value();
  return std::to_string(b.store().access().keys().live(prefix, b.clock.now()).value().key.id.value);
}

int revoke(ApiBench& b, const std::string& by, const std::string& id) {
  return b.as(by, "DELETE", "/api/v1/keys/" + id).status;
}

// Creates a key that the test calls `called`, with another key or the headers of a session.
std::string make(ApiBench& b, const std::string& by, const std::string& called,
                 const WebFields& session = {}) {
  const WebReply made = b.as(by, "POST", "/api/v1/keys", R"({"name":"x"})", session);
  REQUIRE(made.status == 201);
  b.keys[called] = member(made, "key");
  return member(made, "made_by");
}

bool opens(ApiBench& b, const std::string& key) {
  return b.as(key, "GET", "/api/v1/me").status == 200;
}

WebFields session_of(ApiBench& b, const std::string& body) {
  const WebReply reply = b.as("", "POST", "/api/v1/login", body);
  REQUIRE(reply.status == 200);
  const std::string cookie = header_of(reply, "Set-Cookie");
  return {{"cookie", cookie.substr(0, cookie.find(';'))}, {"x-haul", "1"}};
}

}  // namespace

TEST_CASE("a key and its sessions can revoke that key, but no key with more scopes") {
  ApiBench b;
  const UserId adder = b.users["adder"].id;
  b.keys["narrow"] = b.make_key(adder, {Scope::read});
  b.keys["twin"] = b.make_key(adder, {Scope::read});
  const std::string whole = key_id(b, "adder");
  const WebFields session = session_of(b, R"({"key":")" + b.keys["narrow"] + R"("})");

  const WebReply refused = b.as("narrow", "DELETE", "/api/v1/keys/" + whole);
  CHECK(refused.status == 403);
  CHECK(member(refused, "detail") == "key " + whole +
                                         " has the scopes read,add; only a key or session with all "
                                         "of them may revoke it, and yours has only read");
  CHECK(b.as("", "DELETE", "/api/v1/keys/" + whole, "", session).status == 403);
  CHECK(opens(b, "adder"));

  CHECK(revoke(b, "narrow", key_id(b, "twin")) == 204);
  CHECK(revoke(b, "narrow", key_id(b, "narrow")) == 204);
  CHECK(revoke(b, "adder", whole) == 204);
}

TEST_CASE("an admin's key with few scopes revokes no key of others; one with all scopes does") {
  ApiBench b;
  b.keys["narrow"] = b.make_key(b.users["boss"].id, {Scope::read});

  CHECK(revoke(b, "narrow", key_id(b, "viewer")) == 404);
  CHECK(revoke(b, "narrow", key_id(b, "boss")) == 403);
  CHECK(revoke(b, "boss", key_id(b, "operator")) == 204);
}

TEST_CASE("revoking a key revokes the keys created with it, through sessions and generations") {
  ApiBench b;
  const std::string id = key_id(b, "adder");
  CHECK(make(b, "adder", "child") == id);
  CHECK(make(b, "child", "grandchild") == key_id(b, "child"));
  const WebFields session = session_of(b, R"({"key":")" + b.keys["grandchild"] + R"("})");
  CHECK(make(b, "", "by session", session) == key_id(b, "grandchild"));
  b.keys["other"] = b.make_key(b.users["adder"].id, Scopes::all());

  REQUIRE(revoke(b, "other", id) == 204);

  for (const char* each : {"adder", "child", "grandchild", "by session"}) {
    CAPTURE(each);
    CHECK_FALSE(opens(b, each));
  }
  CHECK(b.as("", "GET", "/api/v1/me", "", session).status == 401);
  CHECK(opens(b, "other"));
  const auto audits = b.store().ledger().audits(0, 100);
  CHECK(audits.back().detail ==
        fmt::format("key {} of user {}, with 3 more made by it", id, b.users["adder"].id.value));
}

TEST_CASE("revoking a key keeps its maker, and a key created after a password login has none") {
  ApiBench b;
  make(b, "adder", "child");
  REQUIRE(revoke(b, "adder", key_id(b, "child")) == 204);
  CHECK(opens(b, "adder"));

  const std::string path = fmt::format("/api/v1/users/{}", b.users["adder"].id.value);
  REQUIRE(b.post(path, R"({"password":"correct horse"})").status == 200);
  const WebFields session = session_of(b, R"({"name":"adder","password":"correct horse"})");
  CHECK(make(b, "", "by password", session) == "null");
}

}  // namespace haul::testing

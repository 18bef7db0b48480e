// Rate limits for keys and passwords, and that they do not affect other clients.

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

WebReply log_in(ApiBench& b, const std::string& body, const std::string& peer = "192.0.2.1") {
  WebRequest asked = ApiBench::request("POST", "/api/v1/login", body);
  asked.peer = peer;
  return b.api.answer(asked);
}
std::string by_key(const std::string& key) { return R"({"key":")" + key + R"("})"; }
std::string by_name(const std::string& name) {
  return fmt::format(R"({{"name":"{}","password":"wrong"}})", name);
}

}  // namespace

TEST_CASE("failed logins lock out no valid key, even if the name is that of its address") {
  ApiBench b;
  for (int i = 0; i < 30; ++i) log_in(b, by_name("key from 192.0.2.1"));
  CHECK(log_in(b, by_name("key from 192.0.2.1")).status == 429);

  CHECK(log_in(b, by_key(b.keys["adder"])).status == 200);
}

TEST_CASE("wrong keys from an address lock out neither a valid key nor a correct password") {
  ApiBench b;
  const std::string path = fmt::format("/api/v1/users/{}", b.users["adder"].id.value);
  REQUIRE(b.post(path, R"({"password":"correct horse"})").status == 200);
  std::string statuses;
  for (int i = 0; i < 21; ++i)
    statuses += std::to_string(log_in(b, by_key(make_api_key())).status) + " ";
  CHECK(statuses.ends_with("401 429 "));

  CHECK(log_in(b, by_key(b.keys["adder"])).status == 200);
  CHECK(log_in(b, R"({"name":"adder","password":"correct horse"})").status == 200);
}

TEST_CASE("passwords are limited for each address: twenty at once, then one a second") {
  ApiBench b;
  const auto tries = [&](const std::string& peer, int count) {
    int refused = 0;
    for (int i = 0; i < count; ++i) {
      const WebReply reply = log_in(b, by_name(fmt::format("{}{}", peer, i)), peer);
      refused += reply.status == 429 ? 1 : 0;
      if (reply.status == 429) CHECK(header_of(reply, "Retry-After") == "1");
    }
    return refused;
  };
  CHECK(tries("192.0.2.1", 20) == 0);
  CHECK(tries("192.0.2.1", 3) == 3);
  CHECK(tries("192.0.2.2", 1) == 0);

  b.clock.pass(Millis{999});
  CHECK(tries("192.0.2.1", 1) == 1);
  b.clock.pass(Millis{1});
  CHECK(tries("192.0.2.1", 2) == 1);
}

TEST_CASE("an IPv6 network is counted as one address, an IPv4 address by itself") {
  CHECK(api::address_group("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64");
  CHECK(api::address_group("2001:db8:1:2::9") == "2001:db8:1:2::/64");
  CHECK(api::address_group("192.0.2.1") == "192.0.2.1");
  CHECK(api::address_group("::ffff:192.0.2.1") == "::ffff:192.0.2.1");
}

TEST_CASE("requests that hash a password are recognised before they are answered") {
  std::string hashing;
  for (const api::Route& route : api::routes())
    if (route.hashes) hashing += fmt::format("{} {} ", route.method, route.pattern);
  CHECK(hashing == "POST /api/v1/login POST /api/v1/users/{id} ");

  CHECK(api::Api::hashes_password(ApiBench::request("POST", "/api/v1/login")));
  CHECK(api::Api::hashes_password(ApiBench::request("POST", "/api/v1/users/3")));
  CHECK_FALSE(api::Api::hashes_password(ApiBench::request("GET", "/api/v1/users")));
  CHECK_FALSE(api::Api::hashes_password(ApiBench::request("POST", "/api/v1/users")));
  CHECK_FALSE(api::Api::hashes_password(ApiBench::request("POST", "/nowhere")));
}

TEST_CASE("a head is refused exactly when its whole request would be") {
  ApiBench b;
  const auto head = [&](const std::string& who, const char* method, const char* target) {
    WebRequest asked = ApiBench::request(method, target);
    if (!who.empty()) asked.headers.emplace_back("x-api-key", b.keys.at(who));
    return b.api.admit_head(asked);
  };
  CHECK(head("", "POST", "/api/v1/jobs").status == 401);
  CHECK(header_of(head("", "POST", "/api/v1/jobs"), "WWW-Authenticate") == "Bearer");
  CHECK(head("viewer", "POST", "/api/v1/jobs").status == 403);
  CHECK(head("adder", "POST", "/nowhere/at/all").status == 404);
  CHECK(head("adder", "PUT", "/api/v1/jobs").status == 405);
  CHECK(head("adder", "POST", "/api/v1/jobs").status == 100);
  CHECK(head("", "POST", "/api/v1/login").status == 100);
  WebRequest misled = ApiBench::request("POST", "/api/v1/login");
  misled.headers.front().second = "evil.example";
  CHECK(b.api.admit_head(misled).status == 421);
}

TEST_CASE("a head and its request are counted once") {
  ApiBench b;
  WebRequest asked = ApiBench::request("GET", "/api/v1/me");
  asked.headers.emplace_back("x-api-key", b.keys["adder"]);
  for (int i = 0; i < 5'000; ++i) REQUIRE(b.api.admit_head(asked).status == 100);

  CHECK(b.api.answer(asked).status == 200);
}

TEST_CASE("an admin's head is not counted and returns nothing to the user's other keys") {
  ApiBench b;
  b.keys["narrow"] = b.make_key(b.users["boss"].id, {Scope::read});
  while (b.as("narrow", "GET", "/api/v1/me").status == 200) {
  }
  WebRequest head = ApiBench::request("GET", "/api/v1/me");
  head.headers.emplace_back("x-api-key", b.keys["boss"]);

  REQUIRE(b.api.admit_head(head).status == 100);

  CHECK(b.as("narrow", "GET", "/api/v1/me").status == 429);
}

}  // namespace haul::testing

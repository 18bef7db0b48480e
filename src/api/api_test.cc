#include "api/api.h"

#include <doctest/doctest.h>

#include <set>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

// What each role may do, written out here and not taken from the code: role -> needs.
const std::map<std::string, std::set<api::Need>> kMay{
    {"viewer", {api::Need::none, api::Need::key, api::Need::read}},
    {"adder", {api::Need::none, api::Need::key, api::Need::read, api::Need::add}},
    {"operator",
     {api::Need::none, api::Need::key, api::Need::read, api::Need::add, api::Need::operate}},
    {"boss",
     {api::Need::none, api::Need::key, api::Need::read, api::Need::add, api::Need::operate,
      api::Need::admin}}};

std::string target_of(const api::Route& route, JobId job) {
  std::string target{route.pattern};
  if (target.starts_with("/api/v1/keys/")) return "/api/v1/keys/999";  // No such key.
  for (std::size_t at = target.find('{'); at != std::string::npos; at = target.find('{')) {
    const std::string word = target.substr(at + 1, target.find('}') - at - 1);
    target.replace(at, target.find('}') - at + 1,
                   word == "id"     ? std::to_string(job.value)
                   : word == "name" ? "batch"
                   : word == "book" ? "b1"
                                    : "jobs");
  }
  return target;
}

}  // namespace

TEST_CASE(
    "F49, C21: every route is closed without a key, to a wrong key, and to a role that may less") {
  ApiBench b;
  const JobId job = b.add_for("boss");
  b.store().catalog().ensure_book("b1", "Dune");
  const std::string wrong = make_api_key();
  for (const api::Route& route : api::routes()) {
    const std::string target = target_of(route, job);
    const std::string method{route.method};
    CAPTURE(method);
    CAPTURE(target);
    const bool open = route.need == api::Need::none;
    const bool changes = method != "GET";
    CHECK((b.as("", method, target).status == 401) == (!open && target != "/api/v1/login"));
    if (!open) {
      WebRequest asked = ApiBench::request(method, target);
      asked.headers.emplace_back("authorization", "Bearer " + wrong);
      asked.peer = "10.0.0." + std::to_string(&route - api::routes().data());  // Not limited yet.
      CHECK(b.api.answer(asked).status == 401);
    }
    for (const auto& [role, needs] : kMay) {
      CAPTURE(role);
      const int status = b.as(role, method, target, changes ? "{}" : "").status;
      CHECK((status == 403) == !needs.contains(route.need));
      CHECK(status != 500);
    }
  }
}

TEST_CASE("F49: users who may not operate do not see the jobs of others") {
  ApiBench b;
  const JobId theirs = b.add_for("boss");
  const JobId ours = b.add_for("adder");
  for (const char* what : {"", "/items", "/events", "/why", "/result"}) {
    CAPTURE(what);
    const std::string path = fmt::format("/api/v1/jobs/{}{}", theirs.value, what);
    CHECK(b.as("adder", "GET", path).status == 404);
    CHECK(b.as("viewer", "GET", path).status == 404);
    CHECK(b.as("operator", "GET", path).status == 200);
    CHECK(b.as("adder", "GET", fmt::format("/api/v1/jobs/{}{}", ours.value, what)).status == 200);
  }
  for (const char* act : {"cancel", "retry", "pause", "resume"})
    CHECK(b.as("adder", "POST", fmt::format("/api/v1/jobs/{}/{}", theirs.value, act)).status ==
          404);
  CHECK(b.as("adder", "GET", "/api/v1/jobs").body.find(fmt::format("\"id\":{},", theirs.value)) ==
        std::string::npos);
  CHECK(
      b.as("operator", "GET", "/api/v1/jobs").body.find(fmt::format("\"id\":{},", theirs.value)) !=
      std::string::npos);
  CHECK(b.as("adder", "GET", "/api/v1/jobs?owner=1").status == 403);
}

TEST_CASE("a key allows its scopes only, and nothing once its user is blocked") {
  ApiBench b;
  b.keys["narrow"] = b.make_key(b.users["boss"].id, {Scope::read});
  CHECK(b.as("narrow", "GET", "/api/v1/jobs").status == 200);
  CHECK(b.as("narrow", "POST", "/api/v1/jobs", "{}").status == 403);
  CHECK(b.as("narrow", "GET", "/api/v1/users").status == 403);
  CHECK(b.as("narrow", "POST", "/api/v1/keys", R"({"name":"x","scopes":["admin"]})").status == 403);
  REQUIRE(b.store().users().set(b.users["adder"].id, UserStatus::blocked, Role::adder));
  CHECK(b.as("adder", "GET", "/api/v1/me").status == 401);
}

TEST_CASE("promise 21: a key is made once, works, and is revoked for ever") {
  ApiBench b;
  const WebReply made =
      b.as("adder", "POST", "/api/v1/keys", R"({"name":"mine","scopes":["read"]})");
  REQUIRE(made.status == 201);
  b.keys["mine"] = member(made, "key");
  CHECK(b.as("mine", "GET", "/api/v1/me").status == 200);
  CHECK(member(b.as("mine", "GET", "/api/v1/me"), "scopes") == R"(["read"])");
  const std::string path = "/api/v1/keys/" + member(made, "id");
  CHECK(b.as("viewer", "DELETE", path).status == 404);
  CHECK(b.as("adder", "DELETE", path).status == 204);
  CHECK(b.as("mine", "GET", "/api/v1/me").status == 401);
  CHECK(b.as("adder", "GET", "/api/v1/keys").body.find(b.keys["mine"]) == std::string::npos);
}

TEST_CASE("J39: a key in an address is refused; wrong keys are soon refused unseen") {
  ApiBench b;
  CHECK(b.as("", "GET", "/api/v1/me?key=" + b.keys["boss"]).status == 400);
  CHECK(b.as("", "GET", "/api/v1/me?access_token=x").status == 400);
  int refused = 0;
  for (int i = 0; i < 30; ++i) {
    WebRequest asked = ApiBench::request("GET", "/api/v1/me");
    asked.headers.emplace_back("x-api-key", make_api_key());
    refused += b.api.answer(asked).status == 429 ? 1 : 0;
  }
  CHECK(refused == 10);
  CHECK(b.get("/api/v1/me").status == 200);  // The right key still gets in.
}

TEST_CASE("F50: another Host is misdirected, on every route") {
  ApiBench b;
  const auto with_host = [&](const std::string& host, const char* target) {
    WebRequest asked = ApiBench::request("GET", target);
    asked.headers = {{"host", host}, {"x-api-key", b.keys["boss"]}};
    return b.api.answer(asked).status;
  };
  for (const char* target : {"/ping", "/", "/api/v1/me", "/api/v1/openapi.json"}) {
    for (const char* host : {"localhost", "localhost:4285", "127.0.0.1:4285", "[::1]:4285",
                             "haul.example", "HAUL.example:80"})
      CHECK_MESSAGE(with_host(host, target) == 200, host << target);
    for (const char* host :
         {"evil.example", "haul.example.evil", "", "127.0.0.1.evil.example", "localhost.evil",
          "[::1", "0x7f.1", "[::1].evil.example", "[::1]evil:80", "[::1]:80.evil",
          "[::1]:", "localhost:", "localhost:x", "localhost:80:80", "127.0.0.1:4285.evil", "[]",
          "localhost:123456", "[::1]]", "[[::1]"})
      CHECK_MESSAGE(with_host(host, target) == 421, host << target);
  }
}

TEST_CASE(
    "F50, J36: a session works for its own page only: cookie, header, Origin, Sec-Fetch-Site") {
  ApiBench b;
  const WebReply login =
      b.as("", "POST", "/api/v1/login", R"({"key":")" + b.keys["boss"] + R"("})");
  REQUIRE(login.status == 200);
  const std::string cookie = header_of(login, "Set-Cookie");
  CHECK(cookie.find("HttpOnly") != std::string::npos);
  CHECK(cookie.find("SameSite=Strict") != std::string::npos);
  const std::string pair = cookie.substr(0, cookie.find(';'));
  const JobId job = b.add_for("boss");

  for (const char* method : {"GET", "POST"})
    for (const char* origin : {"", "http://localhost:4285", "http://evil.example", "null"})
      for (const char* site : {"", "same-origin", "cross-site"})
        for (const bool header : {false, true}) {
          WebRequest asked =
              ApiBench::request(method, std::string{method} == "GET"
                                            ? "/api/v1/me"
                                            : fmt::format("/api/v1/jobs/{}/pause", job.value));
          asked.headers.emplace_back("cookie", "other=1; " + pair);
          if (*origin) asked.headers.emplace_back("origin", origin);
          if (*site) asked.headers.emplace_back("sec-fetch-site", site);
          if (header) asked.headers.emplace_back("x-haul", "1");
          const std::string from = origin;
          const bool ours = (from.empty() || from == "http://localhost:4285") &&
                            std::string{site} != "cross-site" &&
                            (std::string{method} == "GET" || header);
          const int status = b.api.answer(asked).status;
          CAPTURE(method);
          CAPTURE(origin);
          CAPTURE(site);
          CAPTURE(header);
          CHECK((status == 403) == !ours);
        }
}

TEST_CASE("a login from another site's page is refused, and a session ends when it is closed") {
  ApiBench b;
  const std::string body = R"({"key":")" + b.keys["adder"] + R"("})";
  CHECK(b.as("", "POST", "/api/v1/login", body, {{"origin", "http://evil.example"}}).status == 403);
  const std::string cookie = header_of(b.as("", "POST", "/api/v1/login", body), "Set-Cookie");
  const WebFields with{{"cookie", cookie.substr(0, cookie.find(';'))}, {"x-haul", "1"}};
  CHECK(b.as("", "GET", "/api/v1/me", "", with).status == 200);
  CHECK(b.as("", "POST", "/api/v1/logout", "", with).status == 204);
  CHECK(b.as("", "GET", "/api/v1/me", "", with).status == 401);
}

TEST_CASE("a name and a password open a session; six wrong ones lock the name out") {
  ApiBench b;
  const std::string path = fmt::format("/api/v1/users/{}", b.users["adder"].id.value);
  CHECK(b.post(path, R"({"password":"correct horse"})").status == 200);
  const auto log_in = [&](const char* password) {
    return b
        .as("", "POST", "/api/v1/login",
            fmt::format(R"({{"name":"adder","password":"{}"}})", password))
        .status;
  };
  CHECK(log_in("correct horse") == 200);
  for (int i = 0; i < 5; ++i) CHECK(log_in("wrong") == 401);
  CHECK(log_in("correct horse") == 429);
  CHECK(b.as("", "POST", "/api/v1/login", R"({"name":"nobody","password":"x"})").status == 401);
}

TEST_CASE("every answer has the security headers and a correlation id") {
  ApiBench b;
  for (const char* target : {"/ping", "/", "/api/v1/me", "/nowhere/at/all", "/api/v1/jobs"}) {
    const WebReply reply = b.as("", "GET", target, "", {{"x-correlation-id", "abc-1"}});
    CAPTURE(target);
    CHECK(header_of(reply, "X-Content-Type-Options") == "nosniff");
    CHECK(header_of(reply, "Content-Security-Policy").find("script-src 'self'") !=
          std::string::npos);
    CHECK(header_of(reply, "X-Correlation-Id") == "abc-1");
    CHECK(header_of(reply, "Access-Control-Allow-Origin").empty());
    if (reply.status >= 400) CHECK(member(reply, "correlation_id") == "abc-1");
  }
  const WebReply odd = b.as("", "GET", "/ping", "", {{"x-correlation-id", "a\r\nb"}});
  const std::string ours = header_of(odd, "X-Correlation-Id");
  CHECK(ours.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-") ==
        std::string::npos);
  CHECK(ours.size() > 8);
  CHECK(header_of(b.as("", "GET", "/ping"), "X-Correlation-Id") != ours);
}

TEST_CASE("a path accepts its own methods only") {
  ApiBench b;
  const WebReply reply = b.as("boss", "DELETE", "/api/v1/jobs");
  CHECK(reply.status == 405);
  CHECK(header_of(reply, "Allow") == "GET, HEAD, POST");
  CHECK(b.as("boss", "HEAD", "/api/v1/jobs").status == 200);
  CHECK(b.get("/api/v1/nothing/here").status == 404);
  CHECK(b.as("", "GET", "/jobs/12").body == "<title>haul</title>");
  CHECK(b.as("", "GET", "/assets/index-1.js").body == "1");
  CHECK(b.as("", "GET", "/assets/index-2.js").status == 404);
  CHECK(b.as("", "GET", "/robots.txt").status == 404);
}

}  // namespace haul::testing

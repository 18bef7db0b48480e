#include <doctest/doctest.h>

#include <sstream>

#include "cli/remote/remote.h"
#include "support/fake_api.h"

namespace haul {
namespace {

using testing::Desk;

const std::string kUsers =
    R"({"items":[{"id":1,"name":"admin","role":"admin","status":"active","created_at":)"
    R"("2026-02-03T04:05:06.789Z"},{"id":2,"name":"eve\u001b[31m","role":"viewer",)"
    R"("status":"blocked","created_at":"2026-02-03T04:05:06.789Z"}],"next":null})";

TEST_CASE("users are a table, and their names steer nothing") {
  Desk desk;
  std::istringstream input;
  desk.api.on("GET /api/v1/users?limit=100", 200, kUsers);

  CHECK(run_users({}, input, desk.remote()) == 0);

  CHECK(desk.printed() == R"(
ID  NAME           ROLE    STATUS   SINCE
 1  admin          admin   active   2026-02-03 04:05:06
 2  eve\u{1b}[31m  viewer  blocked  2026-02-03 04:05:06
)");
}

TEST_CASE("a user is added, and changed by number or by name") {
  const std::string user = R"({"id":2,"name":"bob","role":"adder","status":"active"})";
  Desk desk;
  std::istringstream input{"correct horse\n"};
  desk.api.on("POST /api/v1/users", 201, user).on("POST /api/v1/users/2", 200, user);
  desk.api.on("GET /api/v1/users?limit=100", 200,
              R"({"items":[{"id":2,"name":"bob"}],"next":null})");

  CHECK(run_users({.act = PeopleAct::add, .user = "bob", .role = "adder"}, input, desk.remote()) ==
        0);
  CHECK(run_users({.act = PeopleAct::set, .user = "2", .status = "blocked"}, input,
                  desk.remote()) == 0);
  CHECK(run_users({.act = PeopleAct::set, .user = "bob", .password = true}, input, desk.remote()) ==
        0);

  CHECK(desk.api.asked ==
        "POST /api/v1/users {\"name\":\"bob\",\"role\":\"adder\"}\n"
        "POST /api/v1/users/2 {\"status\":\"blocked\"}\n"
        "GET /api/v1/users?limit=100\n"
        "POST /api/v1/users/2 {\"password\":\"correct horse\"}\n");
  CHECK(desk.out.str().starts_with("User 2 (bob) is adder, active\n"));
  CHECK(desk.out.str().find("horse") == std::string::npos);
}

TEST_CASE("nothing to set, no password on the input, and nobody of that name are refused") {
  Desk desk;
  std::istringstream input;
  desk.api.on("GET /api/v1/users?limit=100", 200, R"({"items":[],"next":null})");

  CHECK(run_users({.act = PeopleAct::set, .user = "2"}, input, desk.remote()) == 2);
  CHECK(run_users({.act = PeopleAct::set, .user = "2", .password = true}, input, desk.remote()) ==
        2);
  std::istringstream is_short{"7 bytes\n"};
  CHECK(run_users({.act = PeopleAct::set, .user = "2", .password = true}, is_short,
                  desk.remote()) == 2);
  CHECK(desk.err.str().ends_with("--password: a password has at least 8 characters\n"));
  CHECK(run_users({.act = PeopleAct::set, .user = "bob", .role = "admin"}, input, desk.remote()) ==
        1);
  CHECK(desk.err.str().ends_with("haul: there is no user 'bob' (no_such_user)\n"));
}

TEST_CASE("a new key is shown once; a revoked one opens nothing") {
  Desk desk;
  desk.api
      .on("POST /api/v1/keys", 201,
          R"({"id":3,"name":"ci","scopes":["read","add"],"key":"haul_abc"})")
      .on("DELETE /api/v1/keys/3", 204, "");

  CHECK(run_keys({.act = PeopleAct::add, .name = "ci", .scopes = {"read", "add"}, .user = "7"},
                 desk.remote()) == 0);
  CHECK(run_keys({.act = PeopleAct::revoke, .id = 3}, desk.remote()) == 0);

  CHECK(desk.api.asked ==
        "POST /api/v1/keys {\"name\":\"ci\",\"scopes\":[\"read\",\"add\"],\"user\":7}\n"
        "DELETE /api/v1/keys/3\n");
  CHECK(desk.out.str() ==
        "Key 3 may read,add. It is shown only now:\nhaul_abc\nKey 3 and the keys made by it open "
        "nothing any more\n");
}

TEST_CASE("credits are shown and granted") {
  const std::string wallet = R"({"granted":10,"available":7,"reserved":1,"spent":2})";
  Desk desk;
  desk.api.on("GET /api/v1/users/2/credits", 200, wallet);
  desk.api.on("POST /api/v1/users/2/credits", 200, wallet);

  CHECK(run_credits({.user = "2"}, desk.remote()) == 0);
  CHECK(run_credits({.act = PeopleAct::grant, .user = "2", .amount = 5, .detail = "thanks"},
                    desk.json()) == 0);

  CHECK(desk.printed() == R"(
granted    10
available  7
reserved   1
spent      2
)" + wallet + "\n");
  CHECK(desk.api.asked.find("{\"amount\":5,\"detail\":\"thanks\"} key=") != std::string::npos);
}

TEST_CASE("a grant carries the key it is given, or a new one each time") {
  Desk desk;
  desk.api.on("POST /api/v1/users/2/credits", 200, "{}");
  const auto key_of_grant = [&](const std::string& given) {
    desk.api.asked.clear();
    CHECK(run_credits({.act = PeopleAct::grant, .user = "2", .amount = 5, .key = given},
                      desk.json()) == 0);
    const std::size_t at = desk.api.asked.find(" key=");
    return at == std::string::npos ? "none" : desk.api.asked.substr(at + 5);
  };

  CHECK(key_of_grant("march") == "march\n");
  const std::string first = key_of_grant("");
  CHECK(first.size() > 20);
  CHECK(key_of_grant("") != first);
}

TEST_CASE("the audit is a table, or empty") {
  Desk desk;
  desk.api.on("GET /api/v1/audit?limit=20", 200,
              R"({"items":[{"id":1,"at":"2026-02-03T04:05:06.789Z","user_hash":)"
              R"("0123456789abcdef","job":null,"action":"KEY_ADDED","detail":"key 3"}],)"
              R"("next":null})");
  CHECK(run_audit({}, desk.remote()) == 0);
  CHECK(desk.out.str().find("0123456789ab  ") != std::string::npos);
  CHECK(desk.out.str().find("KEY_ADDED  key 3") != std::string::npos);

  Desk empty;
  empty.api.on("GET /api/v1/audit?limit=20", 200, R"({"items":[],"next":null})");
  CHECK(run_audit({}, empty.remote()) == 0);
  CHECK(empty.out.str() == "There are none.\n");
}

}  // namespace
}  // namespace haul

#include <doctest/doctest.h>

#include <sstream>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

const std::string kUsers =
    R"({"items":[{"id":1,"name":"admin","role":"admin","status":"active","created_at":)"
    R"("2026-02-03T04:05:06.789Z"},{"id":2,"name":"eve\u001b[31m","role":"viewer",)"
    R"("status":"blocked","created_at":"2026-02-03T04:05:06.789Z"}],"next":null})";

TEST_CASE("users prints a table and escapes control characters in names") {
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

TEST_CASE("users adds a user, and changes one by id or by name") {
  const std::string user = R"({"id":2,"name":"bob","role":"adder","status":"active"})";
  Desk desk;
  std::istringstream input{"correct horse\n"};
  desk.api.on("POST /api/v1/users", 201, user).on("POST /api/v1/users/2", 200, user);
  desk.api.on("GET /api/v1/users?limit=100", 200,
              R"({"items":[{"id":2,"name":"bob"}],"next":null})");

  CHECK(run_users({.act = UsersAct::add, .user = "bob", .role = "adder"}, input, desk.remote()) ==
        0);
  CHECK(run_users({.act = UsersAct::set, .user = "2", .status = "blocked"}, input, desk.remote()) ==
        0);
  CHECK(run_users({.act = UsersAct::set, .user = "bob", .password = true}, input, desk.remote()) ==
        0);

  CHECK(desk.api.asked ==
        "POST /api/v1/users {\"name\":\"bob\",\"role\":\"adder\"}\n"
        "POST /api/v1/users/2 {\"status\":\"blocked\"}\n"
        "GET /api/v1/users?limit=100\n"
        "POST /api/v1/users/2 {\"password\":\"correct horse\"}\n");
  CHECK(desk.out.str().starts_with("User 2 (bob) is adder, active\n"));
  CHECK(desk.out.str().find("horse") == std::string::npos);
}

TEST_CASE("users set refuses an empty change, an empty or short password and an unknown name") {
  Desk desk;
  std::istringstream input;
  desk.api.on("GET /api/v1/users?limit=100", 200, R"({"items":[],"next":null})");

  CHECK(run_users({.act = UsersAct::set, .user = "2"}, input, desk.remote()) == 2);
  CHECK(run_users({.act = UsersAct::set, .user = "2", .password = true}, input, desk.remote()) ==
        2);
  std::istringstream is_short{"7 bytes\n"};
  CHECK(run_users({.act = UsersAct::set, .user = "2", .password = true}, is_short, desk.remote()) ==
        2);
  CHECK(desk.err.str().ends_with("--password: a password has at least 8 characters\n"));
  CHECK(run_users({.act = UsersAct::set, .user = "bob", .role = "admin"}, input, desk.remote()) ==
        1);
  CHECK(desk.err.str().ends_with("haul: there is no user 'bob' (no_such_user)\n"));
}

}  // namespace
}  // namespace haul::cli

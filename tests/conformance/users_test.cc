// Users: names, roles and status, and that an active admin always remains (Z-14).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

Users& users(Bench& b) { return b.store().users(); }

std::string code(const std::expected<User, Refusal>& answer) {
  return answer ? "ok" : answer.error().code;
}

}  // namespace

TEST_CASE("a new store has one user: an active admin") {
  Bench b;

  const std::vector<User> all = users(b).list({}, 10);

  REQUIRE(all.size() == 1);
  CHECK((all[0].id == kAdmin));
  CHECK((all[0].status == UserStatus::active));
  CHECK((all[0].role == Role::admin));
  CHECK((all[0].created_at == b.now()));
}

TEST_CASE("Z-14: a user is added ACTIVE, in each role, and found by id and by name") {
  Bench b;
  for (const Role role : {Role::viewer, Role::adder, Role::operating, Role::admin}) {
    const std::string name = "user " + std::to_string(static_cast<int>(role));

    const User user = users(b).add(name, role, b.after(1s).now()).value();

    CHECK((user == User{user.id, name, UserStatus::active, role, b.now()}));
    CHECK((users(b).find(user.id) == user));
    CHECK((users(b).find(name) == user));
  }
}

TEST_CASE("a name is taken once, and has 1 to 200 bytes") {
  Bench b;

  CHECK(code(users(b).add("ann", Role::adder, b.now())) == "ok");
  CHECK(code(users(b).add("ann", Role::viewer, b.now())) == "name_taken");
  CHECK(code(users(b).add("", Role::adder, b.now())) == "bad_name");
  CHECK(code(users(b).add(std::string(200, 'x'), Role::adder, b.now())) == "ok");
  CHECK(code(users(b).add(std::string(201, 'x'), Role::adder, b.now())) == "bad_name");

  CHECK(users(b).list({}, 10).size() == 3);
  CHECK((users(b).find("ann")->role == Role::adder));
}

TEST_CASE("names are trimmed, and one that differs by case or blanks only is taken") {
  Bench b;

  CHECK(users(b).add(" \tAnn\n", Role::adder, b.now())->name == "Ann");
  for (const char* same : {"ann", "ANN", " Ann ", "admin", "Admin", " admin\n"})
    CHECK(code(users(b).add(same, Role::adder, b.now())) == "name_taken");
  CHECK(code(users(b).add(" \t ", Role::adder, b.now())) == "bad_name");
  CHECK(code(users(b).add("an n", Role::adder, b.now())) == "ok");
  CHECK(code(users(b).rename(users(b).find("an n")->id, " ANN")) == "name_taken");
  CHECK(users(b).rename(users(b).find("Ann")->id, "ann")->name == "ann");
}

TEST_CASE("no user is found where there is none") {
  Bench b;

  CHECK_FALSE(users(b).find(UserId{99}).has_value());
  CHECK_FALSE(users(b).find("ann").has_value());
  CHECK_FALSE(users(b).find("").has_value());
}

TEST_CASE("status and role are set together, and change nothing else") {
  Bench b;
  User ann = users(b).add("ann", Role::adder, b.now()).value();
  for (const UserStatus status : {UserStatus::blocked, UserStatus::deleted, UserStatus::active}) {
    ann.status = status;
    ann.role = Role::operating;

    CHECK((users(b).set(ann.id, status, Role::operating) == ann));
    CHECK((users(b).find(ann.id) == ann));
  }
  CHECK(code(users(b).set(UserId{99}, UserStatus::active, Role::admin)) == "no_such_user");
  CHECK(code(users(b).set(UserId{99}, UserStatus::blocked, Role::admin)) == "no_such_user");
}

TEST_CASE(
    "the last active admin and user 1 cannot be blocked, deleted or demoted; other admins can") {
  Bench b;
  const User before = users(b).find(kAdmin).value();

  CHECK(code(users(b).set(kAdmin, UserStatus::blocked, Role::admin)) == "last_admin");
  CHECK(code(users(b).set(kAdmin, UserStatus::deleted, Role::admin)) == "last_admin");
  CHECK(code(users(b).set(kAdmin, UserStatus::active, Role::operating)) == "last_admin");
  CHECK((users(b).find(kAdmin) == before));
  CHECK(code(users(b).set(kAdmin, UserStatus::active, Role::admin)) == "ok");

  const UserId ann = users(b).add("ann", Role::admin, b.now())->id;
  CHECK(code(users(b).set(kAdmin, UserStatus::blocked, Role::admin)) == "first_admin");
  CHECK(code(users(b).set(kAdmin, UserStatus::deleted, Role::admin)) == "first_admin");
  CHECK(code(users(b).set(kAdmin, UserStatus::active, Role::operating)) == "first_admin");
  CHECK((users(b).find(kAdmin) == before));
  CHECK(code(users(b).set(ann, UserStatus::active, Role::adder)) == "ok");
}

TEST_CASE("a blocked admin and an active operator are not the admin that must remain") {
  Bench b;
  const UserId blocked = users(b).add("blocked", Role::admin, b.now())->id;
  REQUIRE(users(b).set(blocked, UserStatus::blocked, Role::admin).has_value());
  REQUIRE(users(b).add("operator", Role::operating, b.now()).has_value());

  CHECK(code(users(b).set(kAdmin, UserStatus::active, Role::adder)) == "last_admin");
}

TEST_CASE("any other user may be blocked while there is one admin only") {
  Bench b;
  const UserId ann = users(b).add("ann", Role::adder, b.now())->id;

  CHECK(code(users(b).set(ann, UserStatus::blocked, Role::viewer)) == "ok");
}

TEST_CASE("users are paged by id") {
  Bench b;
  for (const char* name : {"c", "a", "b"}) REQUIRE(users(b).add(name, Role::adder, b.now()));

  std::string names;
  for (const User& user : users(b).list(kAdmin, 10)) names += user.name;
  CHECK(names == "cab");
  CHECK(users(b).list(kAdmin, 2).size() == 2);
  CHECK(users(b).list(UserId{4}, 10).empty());
}

TEST_CASE("promise 17: a name with a NUL in it is refused, not thrown") {
  Bench b;

  CHECK(code(users(b).add(std::string{"\0ann", 4}, Role::adder, b.now())) == "bad_name");
}

TEST_CASE("a user gets another name, and is found by that only; nothing else changes") {
  Bench b;
  User ann = users(b).add("ann", Role::adder, b.now()).value();

  ann.name = "anna";
  CHECK((users(b).rename(ann.id, "anna") == ann));
  CHECK((users(b).find("anna") == ann));
  CHECK_FALSE(users(b).find("ann").has_value());
  CHECK(code(users(b).add("ann", Role::adder, b.now())) == "ok");
}

TEST_CASE("a new name must be valid and unused; the user's own is accepted") {
  Bench b;
  const UserId ann = users(b).add("ann", Role::adder, b.now())->id;
  const UserId bob = users(b).add("bob", Role::adder, b.now())->id;
  REQUIRE(users(b).set(bob, UserStatus::deleted, Role::adder).has_value());

  CHECK(code(users(b).rename(ann, "ann")) == "ok");
  CHECK(code(users(b).rename(ann, "admin")) == "name_taken");
  CHECK(code(users(b).rename(ann, "bob")) == "name_taken");
  CHECK(code(users(b).rename(UserId{99}, "carl")) == "no_such_user");
  CHECK(code(users(b).rename(ann, "")) == "bad_name");
  CHECK(code(users(b).rename(ann, std::string(200, 'x'))) == "ok");
  CHECK(code(users(b).rename(ann, std::string(201, 'x'))) == "bad_name");
  CHECK(code(users(b).rename(ann, std::string(10'000'000, 'x'))) == "bad_name");
  CHECK(code(users(b).rename(ann, std::string{"a\0b", 3})) == "bad_name");
  CHECK(code(users(b).rename(ann, "\xff")) == "bad_name");
}

TEST_CASE("promise 17: hostile names come back byte for byte") {
  Bench b;
  const UserId ann = users(b).add("ann", Role::adder, b.now())->id;
  for (const char* name : {"'; DROP TABLE users; --", "<img src=x onerror=alert(1)>",
                           "\x1b]0;title\x07", "\u202egnp.exe", "a\nb", "%s%n"}) {
    CHECK(users(b).rename(ann, name)->name == name);
    CHECK((users(b).find(name)->id == ann));
  }
}

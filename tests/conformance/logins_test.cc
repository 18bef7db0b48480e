// Logins by password: which users have one, and how often a name may be tried.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/lockout.h"
#include "base/secret.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

Logins& logins(Bench& b) { return b.store().access().logins(); }

const std::string kHash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA";

// "try 3", or "wait 4000" in milliseconds.
std::string tried(Bench& b, std::string_view name) {
  const auto answer = logins(b).take_try(name, b.now());
  return answer ? fmt::format("try {}", *answer)
                : fmt::format("wait {}", (answer.error() - b.now()).count());
}

void fail(Bench& b, std::string_view name, int times) {
  for (int i = 0; i < times; ++i) REQUIRE(tried(b, name).starts_with("try"));
}

}  // namespace

TEST_CASE("a user has no password until one is set; it can be changed and taken away") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now())->id;
  CHECK_FALSE(logins(b).password(ann).has_value());

  CHECK(logins(b).set_password(ann, kHash, b.now()));
  CHECK(logins(b).password(ann) == kHash);
  CHECK(logins(b).set_password(ann, kHash + "x", b.now()));
  CHECK(logins(b).password(ann) == kHash + "x");
  CHECK_FALSE(logins(b).password(kAdmin).has_value());
  CHECK(logins(b).set_password(ann, "", b.now()));
  CHECK_FALSE(logins(b).password(ann).has_value());
  CHECK_FALSE(logins(b).set_password({99}, kHash, b.now()));
  CHECK_FALSE(logins(b).password({99}).has_value());
}

TEST_CASE("what hash_password makes fits into the store, and verifies when it comes out") {
  Bench b;
  REQUIRE(logins(b).set_password(kAdmin, hash_password("secrets.").value(), b.now()));

  CHECK(verify_password(logins(b).password(kAdmin).value(), "secrets."));
}

TEST_CASE("a password in clear is never written") {
  Bench b;

  CHECK_THROWS_AS(logins(b).set_password(kAdmin, "secret", b.now()), StoreFault);
  CHECK_FALSE(logins(b).password(kAdmin).has_value());
}

TEST_CASE("promise 21: a blocked or deleted user has no password to log in with") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now())->id;
  REQUIRE(logins(b).set_password(ann, kHash, b.now()));
  for (const UserStatus status : {UserStatus::blocked, UserStatus::deleted}) {
    REQUIRE(b.store().users().set(ann, status, Role::adder).has_value());
    CHECK_FALSE(logins(b).password(ann).has_value());
  }
}

TEST_CASE("a new password ends the user's sessions, and no other user's") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now())->id;
  Sessions& sessions = b.store().access().sessions();
  REQUIRE(sessions.open({hash_token("1"), ann, b.now(), b.now() + 1h}).has_value());
  REQUIRE(sessions.open({hash_token("2"), kAdmin, b.now(), b.now() + 1h}).has_value());

  REQUIRE(logins(b).set_password(ann, kHash, b.now()));

  CHECK_FALSE(sessions.find(hash_token("1"), b.now()).has_value());
  CHECK(sessions.find(hash_token("2"), b.now()).has_value());
}

TEST_CASE("promise 21: five tries at once, then each waits twice as long as the one before") {
  Bench b;
  fail(b, "ann", 5);
  for (int failures = 5; failures <= 17; ++failures) {
    const Millis wait = lockout_after(failures);
    CAPTURE(failures);
    CHECK(tried(b, "ann") == fmt::format("wait {}", wait.count()));
    b.after(wait - 1ms);
    CHECK(tried(b, "ann") == "wait 1");
    b.after(1ms);
    CHECK(tried(b, "ann") == fmt::format("try {}", failures + 1));
  }
}

TEST_CASE("a try that is refused counts for nothing") {
  Bench b;
  fail(b, "ann", 5);

  for (int i = 0; i < 100; ++i) CHECK(tried(b, "ann") == "wait 1000");
  b.after(1s);
  CHECK(tried(b, "ann") == "try 6");
}

TEST_CASE("success clears a name; other names are not concerned") {
  Bench b;
  fail(b, "ann", 5);
  fail(b, "bob", 5);

  logins(b).succeeded("ann");

  CHECK(tried(b, "ann") == "try 1");
  CHECK(tried(b, "bob") == "wait 1000");
  logins(b).succeeded("nobody");
}

TEST_CASE("failures are forgotten a day after the last") {
  Bench b;
  fail(b, "ann", 4);
  fail(b, "bob", 4);

  b.after(24h - 1ms);
  CHECK(tried(b, "ann") == "try 5");
  b.after(1ms);
  CHECK(tried(b, "bob") == "try 1");
}

TEST_CASE("promise 6: a clock set back locks no name for as long as it was set back") {
  Bench b;
  fail(b, "ann", 20 - 15);
  b.after(-24h * 365);

  CHECK(tried(b, "ann") == "try 6");
  CHECK(tried(b, "ann") == "wait 2000");
}

TEST_CASE("promise 17: any text can be tried as a name, and each is its own") {
  Bench b;
  const std::string names[] = {
      "",     "\0"s,      "ann\0"s, "ann\0x"s, "ANN",
      " ann", "\xff\xfe", "'--",    "1",       std::string(10'000'000, 'x')};
  fail(b, "ann", 5);
  for (const std::string& name : names) {
    fail(b, name, 5);
    CHECK(tried(b, name) == "wait 1000");
  }
}

TEST_CASE("promise 17: made-up names never push out the count of a user's name") {
  Bench b;
  REQUIRE(b.store().users().add("ann", Role::adder, b.now()));
  fail(b, "ann", 7 - 2);
  for (int i = 0; i < 10'001; ++i) fail(b, std::to_string(i), 1);

  CHECK(tried(b, "ann") == "wait 1000");
  b.after(1s);
  CHECK(tried(b, "ann") == "try 6");
}

TEST_CASE("promise 17: of made-up names that were tried the last 10,000 are kept") {
  Bench b;
  fail(b, "first", 5);
  b.after(1ms);
  fail(b, "second", 5);
  for (int i = 0; i < 9'998; ++i) {
    if (i == 0) b.after(1ms);
    fail(b, std::to_string(i), 1);
  }
  CHECK(tried(b, "first") == "wait 998");

  fail(b, "one more", 1);

  CHECK(tried(b, "second") == "wait 999");
  CHECK(tried(b, "first") == "try 1");
}

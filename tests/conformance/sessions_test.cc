// Sessions: valid for an active user until they expire.

#include <doctest/doctest.h>

#include "base/secret.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

Sessions& sessions(Bench& b) { return b.store().access().sessions(); }

std::string token(int number) { return hash_token(std::to_string(number)); }

std::string open(Bench& b, int number, UserId user = kAdmin, Millis lasts = 1h) {
  const auto answer = sessions(b).open({token(number), user, b.now(), b.now() + lasts});
  return answer ? "ok" : answer.error().code;
}

bool is_open(Bench& b, int number) { return sessions(b).find(token(number), b.now()).has_value(); }

UserId user(Bench& b, const char* name) {
  return b.store().users().add(name, Role::adder, b.now())->id;
}

}  // namespace

TEST_CASE("a session is found by its token's hash, with its times and its user") {
  Bench b;
  const UserId ann = user(b, "ann");

  REQUIRE(open(b, 1, ann) == "ok");

  const LiveSession live = sessions(b).find(token(1), b.now()).value();
  CHECK(live.session.token_hash == token(1));
  CHECK((live.session.user == ann));
  CHECK((live.session.created_at == b.now()));
  CHECK((live.session.expires_at == b.now() + 1h));
  CHECK((live.user == b.store().users().find(ann)));
  for (const std::string& other : {""s, token(2), token(1) + "0", token(1).substr(1), "\0"s})
    CHECK_FALSE(sessions(b).find(other, b.now()).has_value());
}

TEST_CASE("a session lasts until 1 ms before it expires") {
  Bench b;
  REQUIRE(open(b, 1) == "ok");

  b.after(1h - 1ms);
  CHECK(is_open(b, 1));
  b.after(1ms);
  CHECK_FALSE(is_open(b, 1));
}

TEST_CASE("promise 21: a blocked or deleted user has no sessions, and opens none") {
  Bench b;
  const UserId ann = user(b, "ann");
  REQUIRE(open(b, 1, ann) == "ok");
  for (const UserStatus status : {UserStatus::blocked, UserStatus::deleted}) {
    REQUIRE(b.store().users().set(ann, status, Role::adder).has_value());
    CHECK_FALSE(is_open(b, 1));
    CHECK_FALSE(sessions(b).extend(token(1), b.now() + 2h, b.now()));
    CHECK(open(b, 2, ann) == "user_not_active");
  }
  CHECK(open(b, 3, UserId{99}) == "no_such_user");
  REQUIRE(b.store().users().set(ann, UserStatus::active, Role::adder).has_value());
  CHECK_FALSE(is_open(b, 1));
}

TEST_CASE("a token opens one session") {
  Bench b;
  const UserId ann = user(b, "ann");
  REQUIRE(open(b, 1) == "ok");

  CHECK(open(b, 1, ann) == "token_taken");
  CHECK((sessions(b).find(token(1), b.now())->user.id == kAdmin));
}

TEST_CASE("a session is extended while it lasts, never shortened, never revived") {
  Bench b;
  REQUIRE(open(b, 1) == "ok");

  CHECK(sessions(b).extend(token(1), b.now() + 30min, b.now()));
  CHECK((sessions(b).find(token(1), b.now())->session.expires_at == b.now() + 1h));
  CHECK(sessions(b).extend(token(1), b.now() + 2h, b.after(1h - 1ms).now()));
  const Time end = sessions(b).find(token(1), b.now())->session.expires_at;
  CHECK_FALSE(sessions(b).extend(token(1), end + 1h, end));
  CHECK_FALSE(sessions(b).extend(token(2), end, b.now()));
}

TEST_CASE("a session is closed alone, or with all of its user") {
  Bench b;
  const UserId ann = user(b, "ann");
  for (int i = 1; i <= 3; ++i) REQUIRE(open(b, i, ann) == "ok");
  REQUIRE(open(b, 4) == "ok");

  CHECK(sessions(b).close(token(1)));
  CHECK_FALSE(sessions(b).close(token(1)));
  CHECK_FALSE(is_open(b, 1));
  CHECK(is_open(b, 2));
  CHECK(sessions(b).close_all(ann) == 2);
  CHECK(sessions(b).close_all(ann) == 0);
  CHECK(is_open(b, 4));
}

TEST_CASE("expired sessions are pruned, oldest first, as many as asked; others are not") {
  Bench b;
  for (int i = 1; i <= 4; ++i) REQUIRE(open(b, i, kAdmin, 1h * i) == "ok");

  CHECK(sessions(b).prune(b.now() + 1h - 1ms, 10) == 0);
  CHECK(sessions(b).prune(b.now() + 3h, 2) == 2);
  CHECK_FALSE(sessions(b).close(token(2)));
  CHECK(sessions(b).prune(b.now() + 3h, 10) == 1);
  CHECK(sessions(b).prune(b.now() + 3h, 10) == 0);
  CHECK(is_open(b, 4));
}

TEST_CASE("a user has 100 sessions; one more closes the oldest, of this user only") {
  Bench b;
  const UserId ann = user(b, "ann");
  REQUIRE(open(b, 0, ann) == "ok");
  for (int i = 1; i <= 100; ++i) {
    b.after(1ms);
    REQUIRE(open(b, i) == "ok");
  }
  CHECK(is_open(b, 1));

  REQUIRE(open(b, 101) == "ok");

  CHECK_FALSE(is_open(b, 1));
  CHECK(is_open(b, 2));
  CHECK(is_open(b, 101));
  CHECK(is_open(b, 0));
}

TEST_CASE("a session keeps its scopes and its key, and ends when the key is revoked or expires") {
  Bench b;
  const auto add = [&](const char* prefix, std::optional<Time> expires) {
    return b.store()
        .access()
        .keys()
        .add({kAdmin, "k", {Scope::read}, prefix, hash_token(prefix), expires}, b.now())
        .value()
        .id;
  };
  const ApiKeyId revoked = add("prefix01", {});
  const ApiKeyId expiring = add("prefix02", b.now() + 1min);
  const Scopes scopes{Scope::read, Scope::add};
  for (const auto& [number, key] : {std::pair{1, revoked}, {2, expiring}})
    REQUIRE(sessions(b).open({token(number), kAdmin, b.now(), b.now() + 1h, scopes, key}));
  CHECK((sessions(b).find(token(1), b.now())->session.scopes == scopes));
  CHECK((sessions(b).find(token(1), b.now())->session.key == revoked));

  b.store().access().keys().revoke(revoked, b.now());
  CHECK_FALSE(is_open(b, 1));
  CHECK_FALSE(sessions(b).extend(token(1), b.now() + 2h, b.now()));
  b.after(1min - 1ms);
  CHECK(is_open(b, 2));
  b.after(1ms);
  CHECK_FALSE(is_open(b, 2));
  CHECK_FALSE(sessions(b).extend(token(2), b.now() + 2h, b.now()));
}

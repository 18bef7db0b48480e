// Access rules that the database itself enforces (promise 21), tried with the sqlite3 shell on a
// stopped store.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/secret.h"
#include "support/store/stopped_store.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// Adds two keys, the first one revoked, one session and one password.
void fill(Bench& b) {
  Access& access = b.store().access();
  for (const char* prefix : {"revoked1", "living02"})
    REQUIRE(access.keys()
                .add({.user = kAdmin,
                      .name = "k",
                      .scopes = {Scope::read},
                      .prefix = prefix,
                      .hash = hash_token(prefix)},
                     b.now())
                .has_value());
  REQUIRE(access.keys().revoke({1}, b.now()));
  REQUIRE(access.logins().set_password(kAdmin, "$argon2id$x", b.now()));
  REQUIRE(access.sessions().open({hash_token("1"), kAdmin, b.now(), b.now() + 1h}).has_value());
}

std::string key_sql(const char* verb, int id, const char* prefix, const std::string& hash) {
  return fmt::format(
      "{} INTO api_keys (id, user, name, scopes, prefix, hash, created_at) "
      "VALUES ({}, 1, 'k', 'admin', '{}', '{}', 1)",
      verb, id, prefix, hash);
}

}  // namespace

TEST_CASE("promise 21: a revoked key never comes back, by no way") {
  const StoppedStore store{fill};
  const std::string hash = hash_token("x");

  check_refused(store, "UPDATE api_keys SET revoked_at = NULL WHERE id = 1", {"never comes back"});
  check_refused(store, "UPDATE api_keys SET revoked_at = 9e15 WHERE id = 1", {"never comes back"});
  check_refused(store, "DELETE FROM api_keys WHERE id = 1", {"revoked, not deleted"});
  check_refused(store, key_sql("INSERT OR REPLACE", 1, "other003", hash), {"never replaced"});
  check_refused(store, key_sql("INSERT OR REPLACE", 3, "revoked1", hash), {"never replaced"});
  check_refused(store, "UPDATE OR REPLACE api_keys SET prefix = 'revoked1' WHERE id = 2",
                {"stays what it was"});
  check_allowed(store, "UPDATE api_keys SET revoked_at = 1 WHERE id = 2");
  check_allowed(store, key_sql("INSERT", 3, "other003", hash));
}

TEST_CASE("promise 21: a key's hash, user, scopes and end never change") {
  const StoppedStore store{fill};

  for (const char* set :
       {"hash = lower(hex(randomblob(32)))", "user = 1", "scopes = 'admin'", "expires_at = NULL",
        "prefix = 'x2345678'", "id = 7", "created_at = 0", "maker = 1"})
    check_refused(store, fmt::format("UPDATE api_keys SET {} WHERE id = 2", set),
                  {"stays what it was"});
  check_allowed(store, "UPDATE api_keys SET used_at = 1, name = 'new' WHERE id = 2");
}

TEST_CASE("promise 21: text that is not a hash is refused") {
  const StoppedStore store{fill};

  check_refused(store, key_sql("INSERT", 3, "other003", "secret"), {"hash"});
  check_refused(store, key_sql("INSERT", 3, "other003", std::string(64, 'X')), {"hash"});
  check_refused(store, key_sql("INSERT", 3, "short", hash_token("x")), {"prefix"});
  check_refused(store, "UPDATE passwords SET hash = 'secret'", {"hash"});
  check_refused(store, "INSERT INTO sessions VALUES ('secret', 1, 1, 1, '', NULL)", {"token_hash"});
}

TEST_CASE("promise 21: a session stays with its token and its user; it may end") {
  const StoppedStore store{fill};

  for (const char* set : {"user = 2", "scopes = 'admin'", "key = NULL"})
    check_refused(store, fmt::format("UPDATE sessions SET {}", set), {"stays with"});
  check_refused(store, fmt::format("UPDATE sessions SET token_hash = '{}'", hash_token("2")),
                {"stays with"});
  check_refused(store,
                fmt::format("INSERT OR REPLACE INTO sessions (token_hash, user, created_at, "
                            "expires_at) VALUES ('{}', 2, 1, 9000000000000)",
                            hash_token("1")),
                {"opened once"});
  check_allowed(store, "DELETE FROM sessions");
}

TEST_CASE("F52: the file has no key, password, token or tried name in clear") {
  const std::string key = make_api_key();
  const StoppedStore store{[&](Bench& b) {
    Access& access = b.store().access();
    REQUIRE(access.keys()
                .add({.user = kAdmin,
                      .name = "k",
                      .scopes = {Scope::read},
                      .prefix = api_key_prefix(key).value(),
                      .hash = hash_token(key)},
                     b.now())
                .has_value());
    REQUIRE(access.logins().set_password(kAdmin, hash_password("canary-1").value(), b.now()));
    REQUIRE(access.logins().take_try("canary-2", b.now()).has_value());
    REQUIRE(access.sessions()
                .open({hash_token("canary-3"), kAdmin, b.now(), b.now() + 1h})
                .has_value());
  }};

  const std::string bytes = read_bytes(store.file());

  CHECK(bytes.find(api_key_prefix(key).value()) != std::string::npos);
  CHECK(bytes.find(key.substr(14)) == std::string::npos);
  CHECK(bytes.find("canary-") == std::string::npos);
}

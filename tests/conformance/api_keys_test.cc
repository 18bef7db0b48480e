// API keys: found by prefix while they are valid, never changed, never valid again once revoked.

#include <doctest/doctest.h>

#include "base/secret.h"
#include "support/store/bench.h"
#include "support/store/test_store.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

ApiKeys& keys(Bench& b) { return b.store().access().keys(); }

// A new key. Its prefix is "key00001" for 1, and so on.
NewApiKey draft(int number, UserId user = kAdmin) {
  std::string digits = std::to_string(number);
  digits.insert(0, 5 - digits.size(), '0');
  return {.user = user,
          .name = "laptop",
          .scopes = {Scope::read, Scope::add},
          .prefix = "key" + digits,
          .hash = hash_token(digits)};
}

std::string code(const std::expected<ApiKey, Refusal>& answer) {
  return answer ? "ok" : answer.error().code;
}

std::string prefixes(const std::vector<ApiKey>& found) {
  std::string text;
  for (const ApiKey& key : found) text += key.prefix.substr(7);
  return text;
}

UserId user(Bench& b, const char* name) {
  return b.store().users().add(name, Role::adder, b.now())->id;
}

}  // namespace

TEST_CASE("a key is found as it was added: by its id, and by its prefix with hash and user") {
  Bench b;
  const UserId ann = user(b, "ann");
  NewApiKey wanted = draft(1, ann);
  wanted.expires_at = b.now() + 1h;

  const ApiKey key = keys(b).add(wanted, b.now()).value();

  CHECK((key == ApiKey{.id = key.id,
                       .user = ann,
                       .name = "laptop",
                       .scopes = {Scope::read, Scope::add},
                       .prefix = "key00001",
                       .created_at = b.now(),
                       .expires_at = b.now() + 1h}));
  CHECK((keys(b).find(key.id) == key));
  const LiveApiKey live = keys(b).live("key00001", b.now()).value();
  CHECK((live.key == key));
  CHECK(live.hash == hash_token("00001"));
  CHECK((live.user == b.store().users().find(ann)));
}

TEST_CASE("a real key goes in and is found by what api_key_prefix says") {
  Bench b;
  const std::string text = make_api_key();
  NewApiKey key = draft(1);
  key.prefix = api_key_prefix(text).value();
  key.hash = hash_token(text);

  REQUIRE(keys(b).add(key, b.now()).has_value());

  CHECK(is_same_secret(keys(b).live(key.prefix, b.now())->hash, hash_token(text)));
}

TEST_CASE("no key is found by a prefix that is none, is longer, or has another case") {
  Bench b;
  REQUIRE(keys(b).add(draft(1), b.now()).has_value());

  for (const std::string& prefix :
       {""s, "key"s, "key00002"s, "KEY00001"s, "key00001 "s, "key00001\0"s, "%"s, "' OR 1=1 --"s,
        std::string(1'000'000, 'x')})
    CHECK_FALSE(keys(b).live(prefix, b.now()).has_value());
  CHECK_FALSE(keys(b).find({99}).has_value());
}

TEST_CASE("a key opens until 1 ms before it expires") {
  Bench b;
  NewApiKey key = draft(1);
  key.expires_at = b.now() + 1h;
  REQUIRE(keys(b).add(key, b.now()).has_value());

  CHECK(keys(b).live(key.prefix, b.now() + 1h - 1ms).has_value());
  CHECK_FALSE(keys(b).live(key.prefix, b.now() + 1h).has_value());
}

TEST_CASE("a revoked key opens no more, is still listed, and stays revoked since the first time") {
  Bench b;
  const ApiKeyId id = keys(b).add(draft(1), b.now())->id;

  CHECK(keys(b).revoke(id, b.now() + 1s));
  CHECK(keys(b).revoke(id, b.now() + 2s));

  CHECK_FALSE(keys(b).live("key00001", b.now()).has_value());
  CHECK((keys(b).find(id)->revoked_at == b.now() + 1s));
  CHECK(keys(b).list({}).size() == 1);
  CHECK_FALSE(keys(b).revoke({99}, b.now()));
}

TEST_CASE("a key is revoked with all that it made, once, and others stay") {
  Bench b;
  const auto add = [&](int number, ApiKeyId maker) {
    NewApiKey key = draft(number);
    key.maker = maker;
    return keys(b).add(key, b.now())->id;
  };
  const ApiKeyId first = add(1, {});
  const ApiKeyId child = add(2, first);
  const ApiKeyId grandchild = add(3, child);
  const ApiKeyId other = add(4, {});
  CHECK((keys(b).find(child)->maker == first));
  CHECK_FALSE(keys(b).find(first)->maker);
  REQUIRE(keys(b).revoke(child, b.now()));
  REQUIRE(keys(b).live("key00003", b.now()));

  CHECK(keys(b).revoke_with_made(first, b.now() + 1s) == 2);

  CHECK((keys(b).find(first)->revoked_at == b.now() + 1s));
  CHECK((keys(b).find(child)->revoked_at == b.now()));
  CHECK((keys(b).find(grandchild)->revoked_at == b.now() + 1s));
  CHECK_FALSE(keys(b).find(other)->revoked_at);
  NewApiKey late = draft(5);
  late.maker = grandchild;
  CHECK(code(keys(b).add(late, b.now())) == "key_revoked");
  CHECK(keys(b).revoke_with_made(first, b.now()) == 0);
  CHECK(keys(b).revoke_with_made({99}, b.now()) == 0);
}

TEST_CASE("promise 21: keys of a blocked or deleted user open nothing, and do again once active") {
  Bench b;
  const UserId ann = user(b, "ann");
  REQUIRE(keys(b).add(draft(1, ann), b.now()).has_value());
  for (const UserStatus status : {UserStatus::blocked, UserStatus::deleted}) {
    REQUIRE(b.store().users().set(ann, status, Role::adder).has_value());
    CHECK_FALSE(keys(b).live("key00001", b.now()).has_value());
    CHECK(code(keys(b).add(draft(2, ann), b.now())) == "user_not_active");
  }
  REQUIRE(b.store().users().set(ann, UserStatus::active, Role::viewer).has_value());
  CHECK((keys(b).live("key00001", b.now())->user.role == Role::viewer));
}

TEST_CASE("a prefix is given once, also after its key was revoked") {
  Bench b;
  const ApiKeyId id = keys(b).add(draft(1), b.now())->id;

  CHECK(code(keys(b).add(draft(1), b.now())) == "prefix_taken");
  REQUIRE(keys(b).revoke(id, b.now()));
  CHECK(code(keys(b).add(draft(1), b.now())) == "prefix_taken");
}

TEST_CASE("a key needs a user, a scope, and a name of 1 to 200 bytes of UTF-8") {
  Bench b;
  const auto named = [&](const std::string& name) {
    static int number = 0;
    NewApiKey key = draft(++number);
    key.name = name;
    return code(keys(b).add(key, b.now()));
  };
  CHECK(code(keys(b).add(draft(900, UserId{99}), b.now())) == "no_such_user");
  NewApiKey useless = draft(901);
  useless.scopes = {};
  CHECK(code(keys(b).add(useless, b.now())) == "no_scope");

  CHECK(named("") == "bad_name");
  CHECK(named(std::string(200, 'x')) == "ok");
  CHECK(named(std::string(201, 'x')) == "bad_name");
  CHECK(named(std::string(10'000'000, 'x')) == "bad_name");
  CHECK(named("a\0b"s) == "bad_name");
  CHECK(named("\xff") == "bad_name");
  CHECK(keys(b).list({}).size() == 1);
}

TEST_CASE("promise 17: hostile names of keys come back byte for byte") {
  Bench b;
  const std::string names[] = {"'; DROP TABLE api_keys; --",
                               "<script>alert(1)</script>",
                               "\x1b[31mred\x1b[0m",
                               "\u202egnp.exe",
                               "line\nbreak",
                               "%s%n",
                               "\""};
  int number = 0;
  for (const std::string& name : names) {
    NewApiKey key = draft(++number);
    key.name = name;
    CHECK(keys(b).add(key, b.now())->name == name);
    CHECK(keys(b).live(key.prefix, b.now())->key.name == name);
  }
}

TEST_CASE("a user has 100 keys that are not revoked, and not one more") {
  Bench b;
  for (int i = 1; i <= 100; ++i) REQUIRE(keys(b).add(draft(i), b.now()).has_value());

  CHECK(code(keys(b).add(draft(101), b.now())) == "too_many_keys");
  CHECK(code(keys(b).add(draft(102, user(b, "ann")), b.now())) == "ok");
  REQUIRE(keys(b).revoke({1}, b.now()));
  CHECK(code(keys(b).add(draft(103), b.now())) == "ok");
}

TEST_CASE("keys are paged from the newest, of all or of one user") {
  Bench b;
  const UserId ann = user(b, "ann");
  for (int i = 1; i <= 6; ++i)
    REQUIRE(keys(b).add(draft(i, i % 2 ? ann : kAdmin), b.now()).has_value());

  CHECK(prefixes(keys(b).list({})) == "654321");
  CHECK(prefixes(keys(b).list({.limit = 2})) == "65");
  CHECK(prefixes(keys(b).list({.before = {5}, .limit = 2})) == "43");
  CHECK(prefixes(keys(b).list({.user = ann})) == "531");
  CHECK(prefixes(keys(b).list({.user = ann, .before = {5}})) == "31");
  CHECK(keys(b).list({.user = UserId{99}}).empty());
  CHECK(keys(b).list({.limit = 0}).empty());
}

TEST_CASE("a use is written at most once a minute, and again after the clock was set back") {
  Bench b;
  const ApiKeyId id = keys(b).add(draft(1), b.now())->id;
  const Time first = b.now();
  const auto used_after = [&](Millis passed) {
    keys(b).touch(id, b.after(passed).now());
    return keys(b).find(id)->used_at.value() - first;
  };
  CHECK_FALSE(keys(b).find(id)->used_at.has_value());

  CHECK((used_after(0ms) == 0ms));
  CHECK((used_after(59'999ms) == 0ms));
  CHECK((used_after(1ms) == 60s));
  CHECK((used_after(-1h) == 60s - 1h));
  CHECK((used_after(1s) == 60s - 1h));
  keys(b).touch({99}, b.now());
}

TEST_CASE("a use that could not be written is tried again after 1 min, or a clock set back") {
  bool is_full = false;
  Bench b{open_test_store(Bench::kStart, [&](CommitPhase phase) {
    if (is_full && phase == CommitPhase::before)
      throw StoreFault{StoreFault::Kind::full, "no space left"};
  })};
  const ApiKeyId id = keys(b).add(draft(1), b.now())->id;
  const auto is_used_after = [&](Millis passed) {
    keys(b).touch(id, b.after(passed).now());
    return keys(b).find(id)->used_at.has_value();
  };
  is_full = true;
  CHECK_FALSE(is_used_after(0ms));
  is_full = false;

  CHECK_FALSE(is_used_after(59'999ms));
  b.after(-59'999ms);
  CHECK(is_used_after(-1h));
}

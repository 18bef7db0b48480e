#include "app/admin_key.h"

#include <doctest/doctest.h>

#include <fstream>

#include "base/secret.h"
#include "store/sqlite/sqlite.h"
#include "support/store/stopped_store.h"
#include "support/store/test_store.h"

using namespace haul;
using namespace haul::testing;

namespace {

constexpr Time kNow = Bench::kStart;

bool opens(Store& store, const std::string& key) {
  const auto live = store.access().keys().live(api_key_prefix(key).value_or(""), kNow);
  return live && live->hash == hash_token(key);
}

std::string add_key(Store& store, UserId user, const std::string& name) {
  const std::string key = make_api_key();
  REQUIRE(store.access().keys().add({.user = user,
                                     .name = name,
                                     .scopes = {Scope::read},
                                     .prefix = api_key_prefix(key).value(),
                                     .hash = hash_token(key),
                                     .expires_at = {}},
                                    kNow));
  return key;
}

struct KeyBench {
  TempFolder folder;
  std::unique_ptr<Store> store = open_test_store(kNow);

  app::AdminKey ensure() { return app::ensure_admin_key(*store, folder.path(), kNow); }
};

}  // namespace

TEST_CASE("admin.key is made once and stays") {
  KeyBench bench;

  const app::AdminKey first = bench.ensure();

  CHECK(opens(*bench.store, first.text));
  CHECK(bench.ensure().text == first.text);
  CHECK(opens(*bench.store, first.text));
}

TEST_CASE("a lost admin.key is made anew, and the lost one is revoked; other keys are not") {
  KeyBench bench;
  const std::string lost = bench.ensure().text;
  const std::string own = add_key(*bench.store, kAdmin, "laptop");
  const UserId boss = bench.store->users().add("boss", Role::admin, kNow).value().id;
  const std::string others = add_key(*bench.store, boss, "admin.key");
  std::filesystem::remove(bench.folder / "admin.key");

  const std::string made = bench.ensure().text;

  CHECK(made != lost);
  CHECK(opens(*bench.store, made));
  CHECK_FALSE(opens(*bench.store, lost));
  CHECK(opens(*bench.store, own));
  CHECK(opens(*bench.store, others));
}

TEST_CASE(
    "a file that opens nothing is written anew, and a revocation that was cut short is done") {
  KeyBench bench;
  const std::string first = bench.ensure().text;
  std::ofstream{bench.folder / "admin.key"} << "haul_junk\n";
  const std::string second = bench.ensure().text;
  CHECK_FALSE(opens(*bench.store, first));

  const std::string left_over = add_key(*bench.store, kAdmin, "admin.key");
  CHECK(bench.ensure().text == second);
  CHECK(opens(*bench.store, second));
  CHECK_FALSE(opens(*bench.store, left_over));
}

TEST_CASE("the daemon gets its key also when user 1 has as many keys as a user may have") {
  KeyBench bench;
  for (int i = 0; i < 100; ++i) add_key(*bench.store, kAdmin, "laptop");

  CHECK(opens(*bench.store, bench.ensure().text));
}

TEST_CASE("a store whose user 1 was blocked or demoted opens with a new key, and no older one") {
  for (const char* change : {"status = 'BLOCKED'", "status = 'DELETED'", "role = 'viewer'"}) {
    CAPTURE(change);
    std::string old_key;
    const StoppedStore stopped{[&](Bench& b) {
      REQUIRE(b.store().users().add("boss", Role::admin, b.now()));
      old_key = add_key(b.store(), kAdmin, "laptop");
      REQUIRE(b.store().access().logins().set_password(kAdmin, "$argon2id$x", b.now()));
      REQUIRE(b.store().access().sessions().open(
          {hash_token("s"), kAdmin, kNow, kNow + Millis{1'000'000}}));
    }};
    REQUIRE(stopped.shell(std::string{"UPDATE users SET "} + change + " WHERE id = 1").code == 0);
    const auto store = open_sqlite(stopped.file().parent_path(), {}, kNow);

    const app::AdminKey key = app::ensure_admin_key(*store, stopped.file().parent_path(), kNow);

    CHECK(opens(*store, key.text));
    CHECK((store->users().find(kAdmin)->role == Role::admin));
    CHECK_FALSE(opens(*store, old_key));
    CHECK_FALSE(store->access().logins().password(kAdmin).has_value());
    CHECK_FALSE(store->access().sessions().find(hash_token("s"), kNow).has_value());
    CHECK(store->ledger().audits(0, 10).at(0).action == "ADMIN_RESTORED");
  }
}

// A store's own id, and the mark of a restore (Z-31).

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "store/open.h"
#include "support/io/temp_folder.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr Time kNow = Bench::kStart;

std::string id_in(const TestFolder& folder) { return folder.open(kNow)->identity().id(); }

}  // namespace

TEST_CASE("a store's id is twelve hexadecimal digits, its own, and stays") {
  const TestFolder one;
  const TestFolder two;

  const std::string id = id_in(one);

  CHECK(id.size() == 12);
  CHECK(
      std::ranges::all_of(id, [](char c) { return std::string{"0123456789abcdef"}.contains(c); }));
  CHECK(id_in(one) == id);
  CHECK(id_in(two) != id);
}

// SQLite's own: only a store that is a folder can be moved by renaming it.
TEST_CASE("a store that is moved with its folder keeps its id, and is no restored one") {
  const TempFolder temp;
  const std::string id = open_store(store_url(temp / "one"), {}, kNow)->identity().id();

  std::filesystem::rename(temp / "one", temp / "two");

  const auto store = open_store(store_url(temp / "two"), {}, kNow);
  CHECK(store->identity().id() == id);
  CHECK_FALSE(store->identity().is_restored());
}

TEST_CASE("Z-31: a backup put in another folder has the id of its store, and is marked restored") {
  const TempFolder temp;
  const TestFolder one;
  const TestFolder two;
  const std::string id = id_in(one);
  backup_store(one.url(), temp / "copy.db");
  restore_store(two.url(), temp / "copy.db", kNow);

  const auto store = two.open(kNow);

  CHECK(store->identity().id() == id);
  CHECK(store->identity().is_restored());
  CHECK(store->identity().restored_at() == "2026-02-02T02:40:00.000Z");
  CHECK_FALSE(one.open(kNow)->identity().is_restored());
}

TEST_CASE("Z-31, Z-16: the mark stays until it is cleared, which is audited once") {
  const TestFolder folder;
  folder.open(kNow)->identity().mark_restored(kNow);
  {
    const auto store = folder.open(kNow);
    CHECK(store->identity().is_restored());
    CHECK(store->ledger().audits(0, 10).empty());

    CHECK(store->identity().clear_restored(kAdmin, kNow + 1s));
    CHECK_FALSE(store->identity().is_restored());
    CHECK_FALSE(store->identity().clear_restored(kAdmin, kNow + 2s));

    const auto audits = store->ledger().audits(0, 10);
    REQUIRE(audits.size() == 1);
    CHECK(audits.front().action == "RESTORE_CLEARED");
    CHECK(audits.front().at == kNow + 1s);
    CHECK(audits.front().detail == "restored at 2026-02-02T02:40:00.000Z");
  }
  const auto store = folder.open(kNow);
  CHECK_FALSE(store->identity().is_restored());
  CHECK(store->identity().restored_at().empty());
}

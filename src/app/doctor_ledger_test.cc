// haul doctor proves the ledger (S4-16).

#include <doctest/doctest.h>

#include "app/doctor.h"
#include "lifecycle/tables.h"
#include "store/sqlite/database.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"
#include "support/io/temp_folder.h"
#include "support/store/bench.h"

namespace haul::app {
namespace {

using testing::Bench;
using testing::TempFolder;

// A user with ten credits and an image that costs four.
void fill(const TempFolder& folder) {
  const auto store = open_sqlite(folder.path(), {}, Bench::kStart);
  REQUIRE(store->ledger().grant(kAdmin, 10, "gift", Bench::kStart));
  const NewJob job{.lifecycle = &kImage, .request = R"({"prompt":"x"})", .price = 4};
  REQUIRE(store->jobs().add({&job, 1}, Bench::kStart).front());
}

void damage(const TempFolder& folder, const char* sql) {
  sqlite::Connection{folder / "haul.db", sqlite::OpenFor::writing}.script(sql);
}

}  // namespace

TEST_CASE("S4-16: the doctor adds up the ledger, and says nothing of a store without credits") {
  const TempFolder folder;
  CHECK(examine_ledger(folder.path()).empty());
  {
    open_sqlite(folder.path(), {}, Bench::kStart);
  }
  CHECK(examine_ledger(folder.path()).empty());

  const TempFolder other;
  fill(other);
  const auto findings = examine_ledger(other.path());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].health == cli::Health::ok);
  CHECK(findings[0].detail.starts_with("10 granted to 1 user:"));
}

TEST_CASE("S4-16: a wallet that its entries contradict is found") {
  const TempFolder folder;
  fill(folder);
  damage(folder, "DROP TRIGGER wallets_follow; UPDATE wallets SET available = 7, reserved = 3;");
  const auto findings = examine_ledger(folder.path());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].health == cli::Health::wrong);
  CHECK(findings[0].detail.find("the wallet of user 1 says") != std::string::npos);
}

TEST_CASE("S4-16, promise 13: a reservation that outlives its job is found") {
  const TempFolder folder;
  fill(folder);
  damage(folder,
         "DROP TRIGGER jobs_move; UPDATE jobs SET state = 'completed', \"end\" = 'good', "
         "due_at = NULL, ended_at = 1, seq = 1;");
  const auto findings = examine_ledger(folder.path());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].detail == "job 1 is completed, but its 4 credits are still reserved");
}

TEST_CASE("promise 5: the doctor counts acts that ended jobs left open") {
  const TempFolder folder;
  fill(folder);
  damage(folder,
         "INSERT INTO intents (job, kind, state, created_at) VALUES (1, 'paid_call', 'open', 1),"
         " (1, 'cancel', 'open', 1);");
  CHECK(examine_ledger(folder.path()).size() == 1);  // The job is open.

  damage(folder,
         "DROP TRIGGER jobs_move; UPDATE jobs SET state = 'rejected', \"end\" = 'bad', "
         "due_at = NULL, ended_at = 1, seq = 1;");
  const auto findings = examine_ledger(folder.path());
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].what == "acts");
  CHECK(findings[0].detail.starts_with("1 call, "));
}

}  // namespace haul::app

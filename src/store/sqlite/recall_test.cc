// How much of the table Jobs::recall reads: the jobs that are due too late, not every open job.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "store/jobs.h"
#include "store/sqlite/migrate.h"
#include "store/sqlite/parts.h"

using namespace haul;
using namespace haul::sqlite;

namespace {

constexpr std::int64_t kOpen = 20'000;
constexpr std::size_t kLate = 3;
constexpr const char* kDueNow = "SELECT count(*) FROM jobs WHERE due_at = ?1";

std::unique_ptr<Connection> empty_store() {
  auto db = std::make_unique<Connection>(":memory:", OpenFor::writing);
  migrate(*db, all_migrations(), [](int) {});
  sync_lifecycles(*db);
  add_initial_rows(*db, from_unix_ms(1));
  return db;
}

// Open jobs in three lanes of two owners each. The first few are due at 9,000, all others at 1.
void fill(Connection& db) {
  db.script("DROP TRIGGER jobs_birth");  // So that a script can insert jobs.
  db.script(fmt::format(R"(
WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < {})
INSERT INTO jobs (id, lifecycle, state, "end", seq, fence, attempt, owner, lane, paused, due_at,
                  created_at, moved_at)
SELECT id, 'book', 'queued', 'open', 0, 0, 0, 1 + id % 2, 'lane ' || id % 3, 0,
       iif(id <= {}, 9000, 1), 1, 1
  FROM ids;)",
                        kOpen, kLate));
}

// The steps of SQLite's virtual machine in all statements since the last call.
std::int64_t steps(sqlite3* db) {
  std::int64_t sum = 0;
  for (sqlite3_stmt* each = sqlite3_next_stmt(db, nullptr); each != nullptr;
       each = sqlite3_next_stmt(db, each))
    sum += sqlite3_stmt_status(each, SQLITE_STMTSTATUS_VM_STEP, 1);
  return sum;
}

}  // namespace

TEST_CASE("a recall reads the jobs that are due too late, and does not scan the open ones") {
  auto made = empty_store();
  Connection& db = *made;
  fill(db);
  Database database{std::move(made), "", {}, Threading::on_caller};
  const std::unique_ptr<Jobs> jobs = make_jobs(database);
  steps(db.raw());

  CHECK(jobs->recall(from_unix_ms(1'000), from_unix_ms(500)) == kLate);

  // A scan takes several steps for each open job; three jobs take about a thousand steps.
  const std::int64_t recall = steps(db.raw());
  CHECK(recall > 0);
  CHECK(recall < kOpen);
  CHECK(db.number(kDueNow, {from_unix_ms(500)}) == std::int64_t{kLate});
}

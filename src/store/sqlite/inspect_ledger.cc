// Looks at the ledger from outside: adds up every entry again, beside the sums that triggers keep.

#include <fmt/core.h>

#include "store/intents.h"
#include "store/sqlite/copy.h"
#include "store/sqlite/database.h"
#include "store/sqlite/migrate.h"
#include "store/sqlite/sqlite.h"

namespace haul {
namespace {

constexpr std::int64_t kProblemsMax = 10;

constexpr const char* kTotals = "SELECT count(*), coalesce(sum(granted), 0) FROM wallets";

// S4-16: each wallet beside the sums of its entries. Uses index credits_owner.
constexpr const char* kWallets = R"(
SELECT owner, granted, available, reserved, spent,
       granted_sum, granted_sum - reserved_sum + refunded_sum,
       reserved_sum - spent_sum - refunded_sum, spent_sum
  FROM (SELECT coalesce(w.owner, c.owner) AS owner,
               coalesce(w.granted, 0) AS granted, coalesce(w.available, 0) AS available,
               coalesce(w.reserved, 0) AS reserved, coalesce(w.spent, 0) AS spent,
               c.granted_sum, c.reserved_sum, c.spent_sum, c.refunded_sum
          FROM (SELECT owner,
                       sum(iif(kind = 'grant', amount, 0)) AS granted_sum,
                       sum(iif(kind = 'reserve', amount, 0)) AS reserved_sum,
                       sum(iif(kind = 'spend', amount, 0)) AS spent_sum,
                       sum(iif(kind = 'refund', amount, 0)) AS refunded_sum
                  FROM credits
                 GROUP BY owner) c
          LEFT JOIN wallets w ON w.owner = c.owner)
 WHERE granted <> granted_sum OR available <> granted_sum - reserved_sum + refunded_sum
    OR reserved <> reserved_sum - spent_sum - refunded_sum OR spent <> spent_sum
    OR available + reserved + spent <> granted OR available < 0 OR reserved < 0
 ORDER BY owner
 LIMIT ?1)";

// Promise 13. Uses indexes credits_one_reservation and credits_one_resolution.
constexpr const char* kHeld = R"(
SELECT c.job, c.amount, j.state
  FROM credits c JOIN jobs j ON j.id = c.job
 WHERE c.kind = 'reserve' AND j."end" <> 'open'
   AND NOT EXISTS (SELECT 1 FROM credits r
                    WHERE r.job = c.job AND r.kind IN ('spend', 'refund'))
 ORDER BY c.job
 LIMIT ?1)";

constexpr const char* kResolved = R"(
SELECT c.job, c.kind, c.amount
  FROM credits c JOIN jobs j ON j.id = c.job
 WHERE c.kind IN ('spend', 'refund')
   AND (j."end" = 'open'
        OR NOT EXISTS (SELECT 1 FROM credits r
                        WHERE r.job = c.job AND r.kind = 'reserve' AND r.amount = c.amount
                          AND r.owner = c.owner))
 ORDER BY c.job
 LIMIT ?1)";

// Reads all open intents: open jobs have few.
constexpr const char* kUnsettled = R"(
SELECT i.kind, count(*)
  FROM intents i JOIN jobs j ON j.id = i.job
 WHERE i.state = 'open' AND j."end" <> 'open'
 GROUP BY i.kind
 ORDER BY i.kind)";

void count_unsettled(sqlite::Connection& db, LedgerLook& look) {
  sqlite::Query rows{db, kUnsettled};
  while (rows.step())
    if (is_act(rows.text(0))) look.unsettled += rows.integer(1);
}

void add_up(sqlite::Connection& db, LedgerLook& look) {
  const sqlite::Snapshot snapshot{db};
  {
    sqlite::Query row{db, kTotals};
    row.step();
    look.wallets = row.integer(0);
    look.granted = row.integer(1);
  }
  sqlite::Query wallets{db, kWallets, {kProblemsMax}};
  while (wallets.step())
    look.problems.push_back(fmt::format(
        "the wallet of user {} says {} granted, {} available, {} reserved, {} spent, but its "
        "entries say {}, {}, {}, {}",
        wallets.integer(0), wallets.integer(1), wallets.integer(2), wallets.integer(3),
        wallets.integer(4), wallets.integer(5), wallets.integer(6), wallets.integer(7),
        wallets.integer(8)));
  sqlite::Query held{db, kHeld, {kProblemsMax}};
  while (held.step())
    look.problems.push_back(fmt::format("job {} is {}, but its {} credits are still reserved",
                                        held.integer(0), held.text(2), held.integer(1)));
  sqlite::Query resolved{db, kResolved, {kProblemsMax}};
  while (resolved.step())
    look.problems.push_back(
        fmt::format("job {} has a {} of {} credits without a reservation, or "
                    "before its end",
                    resolved.integer(0), resolved.text(1), resolved.integer(2)));
  count_unsettled(db, look);
  if (look.problems.size() > kProblemsMax) look.problems.resize(kProblemsMax);
}

}  // namespace

LedgerLook inspect_sqlite_ledger(const std::filesystem::path& folder) {
  LedgerLook look;
  std::error_code error;
  const std::filesystem::path file = folder / "haul.db";
  if (!std::filesystem::exists(file, error)) return look;
  try {
    const auto db = sqlite::open_reader(file);
    if (!sqlite::unfit(*db, sqlite::all_migrations()).empty()) return look;
    add_up(*db, look);
  } catch (const StoreFault&) {
    return {};  // inspect_sqlite() reports what is wrong with the store.
  }
  return look;
}

}  // namespace haul

// Implements Limits on SQLite.

#include "store/limits.h"

#include <algorithm>

#include "base/ensure.h"
#include "store/rules/limits.h"
#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr const char* kUse = R"(
SELECT started_at, blocked_until,
       (SELECT coalesce(sum(held), 0) FROM limit_holders h WHERE h.host = limits.host)
  FROM limits
 WHERE host = ?1)";

constexpr const char* kStart = R"(
INSERT INTO limits (host, started_at)
VALUES (?1, ?2)
ON CONFLICT (host) DO UPDATE
   SET started_at = excluded.started_at)";

constexpr const char* kHold = R"(
INSERT INTO limit_holders (host, worker, held)
VALUES (?1, ?2, 1)
ON CONFLICT (host, worker) DO UPDATE
   SET held = held + 1)";

constexpr const char* kLast =
    "DELETE FROM limit_holders WHERE host = ?1 AND worker = ?2 AND held <= ?3";
constexpr const char* kLess =
    "UPDATE limit_holders SET held = held - ?3 WHERE host = ?1 AND worker = ?2";
constexpr const char* kGiveAll = "DELETE FROM limit_holders WHERE worker = ?1";

// A host without a request so far gets the epoch as its last start.
constexpr const char* kBlock = R"(
INSERT INTO limits (host, started_at, blocked_until)
VALUES (?1, 0, ?2)
ON CONFLICT (host) DO UPDATE
   SET blocked_until = excluded.blocked_until)";

// Uses the primary key. An index on the times would cost every request a write.
constexpr const char* kHosts = R"(
SELECT host
  FROM limits
 WHERE host > ?1
 ORDER BY host
 LIMIT ?2)";

constexpr const char* kForget = R"(
DELETE FROM limits
 WHERE host > ?1 AND host <= ?2 AND started_at < ?3 AND blocked_until < ?3
   AND NOT EXISTS (SELECT 1 FROM limit_holders h WHERE h.host = limits.host))";

HostUse read_use(Connection& db, const std::string& host) {
  Query row{db, kUse, {host}};
  if (!row.step()) return {};
  return {static_cast<std::size_t>(row.integer(2)), row.time(0), row.time(1)};
}

class SqliteLimits final : public Limits {
 public:
  explicit SqliteLimits(Database& database) : database_{database} {}

  std::expected<void, Time> take(const std::string& host, const HostRule& rule, WorkerId worker,
                                 Time now) override {
    ensure(static_cast<bool>(worker), "a slot at a host belongs to a worker");
    std::expected<void, Time> answer;
    database_.write(1, [&](Connection& db) {
      answer = {};
      const HostUse use = read_use(db, host);
      if (const auto until = rules::wait_until(use, rule, now)) {
        if (rules::is_start_ahead(use, now)) db.run(kStart, {host, now});
        answer = std::unexpected{*until};
        return;
      }
      db.run(kStart, {host, now});
      db.run(kHold, {host, worker});
    });
    return answer;
  }

  void give(const std::string& host, WorkerId worker, std::size_t slots) override {
    database_.write(1, [&](Connection& db) {
      const auto given = static_cast<std::int64_t>(slots);
      if (db.run(kLast, {host, worker, given}) == 0) db.run(kLess, {host, worker, given});
    });
  }

  void give_all(WorkerId worker) override {
    database_.write(1, [&](Connection& db) { db.run(kGiveAll, {worker}); });
  }

  void block(const std::string& host, Time until, Time now) override {
    database_.write(1, [&](Connection& db) {
      const Time stored = read_use(db, host).blocked_until;
      db.run(kBlock, {host, rules::block_after(stored, until, now)});
    });
  }

  std::string prune(Time before, const std::string& after, std::size_t limit) override {
    std::string last;
    std::size_t hosts = 0;
    limit = std::min(limit, kBatchMax);
    database_.read([&](Connection& db) {
      for (Query rows{db, kHosts, {after, limit}}; rows.step(); ++hosts) last = rows.string(0);
    });
    if (hosts > 0)
      database_.write(hosts, [&](Connection& db) { db.run(kForget, {after, last, before}); });
    return hosts == limit ? last : std::string{};
  }

  HostUse use(const std::string& host) override {
    HostUse use;
    database_.read([&](Connection& db) { use = read_use(db, host); });
    return use;
  }

 private:
  Database& database_;
};

}  // namespace

std::unique_ptr<Limits> make_limits(Database& database) {
  return std::make_unique<SqliteLimits>(database);
}

}  // namespace haul::sqlite

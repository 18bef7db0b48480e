// Implements Ledger on SQLite.

#include "store/ledger.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/ensure.h"
#include "store/reader.h"
#include "store/sqlite/audit.h"
#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr std::int64_t kGrantMax = 1'000'000'000'000;

constexpr const char* kGrant = R"(
INSERT INTO credits (owner, kind, amount, at, detail, key)
SELECT id, 'grant', ?2, ?3, ?4, ?5
  FROM users
 WHERE id = ?1)";

// Uses index credits_one_grant.
constexpr const char* kGranted = R"(
SELECT amount, detail
  FROM credits
 WHERE owner = ?1 AND key = ?2)";

constexpr const char* kWallet = R"(
SELECT granted, available, reserved, spent
  FROM wallets
 WHERE owner = ?1)";

constexpr const char* kEntries = R"(
SELECT id, owner, job, kind, amount, at, detail
  FROM credits
 WHERE owner = ?1 AND id > ?2
 ORDER BY id
 LIMIT ?3)";

// Uses index credits_owner.
constexpr const char* kEntriesBefore = R"(
SELECT id, owner, job, kind, amount, at, detail
  FROM credits
 WHERE owner = ?1 AND id < ?2
 ORDER BY id DESC
 LIMIT ?3)";

// Uses index credits_one_reservation.
constexpr const char* kReservedFor =
    "SELECT amount FROM credits WHERE job = ?1 AND kind = 'reserve'";

constexpr const char* kAudits = R"(
SELECT id, at, user_hash, job, action, detail
  FROM audit
 WHERE id > ?1
 ORDER BY id
 LIMIT ?2)";

constexpr const char* kAuditsBefore = R"(
SELECT id, at, user_hash, job, action, detail
  FROM audit
 WHERE id < ?1
 ORDER BY id DESC
 LIMIT ?2)";

Wallet read_wallet(Connection& db, UserId owner) {
  Query row{db, kWallet, {owner}};
  if (!row.step()) return {};
  return {row.integer(0), row.integer(1), row.integer(2), row.integer(3)};
}

std::expected<Granted, Refusal> grant_once(Connection& db, const NewGrant& grant, Time now) {
  if (!grant.key.empty()) {
    Query row{db, kGranted, {grant.owner, grant.key}};
    if (row.step()) {
      if (row.integer(0) != grant.amount || row.string(1) != grant.detail)
        return std::unexpected{Refusal{RefusalKind::guarded, "key_reused",
                                       "this key came with another amount or detail before"}};
      return Granted{read_wallet(db, grant.owner), true};
    }
  }
  const auto inserted =
      db.run(kGrant, {grant.owner, grant.amount, now, or_null(grant.detail), or_null(grant.key)});
  ensure(inserted <= 1, "a grant pays one user, once");
  if (inserted == 1) return Granted{read_wallet(db, grant.owner), false};
  return std::unexpected{
      Refusal{RefusalKind::stale, "no_such_user", fmt::format("user {}", grant.owner.value)}};
}

class SqliteLedger final : public Ledger {
 public:
  explicit SqliteLedger(Database& database) : database_{database} {}

  std::expected<Granted, Refusal> grant(const NewGrant& grant, Time now) override {
    if (grant.amount <= 0 || grant.amount > kGrantMax)
      return std::unexpected{Refusal{RefusalKind::guarded, "bad_amount",
                                     fmt::format("from 1 to {} credits", kGrantMax)}};
    std::expected<Granted, Refusal> answer;
    database_.write(1, [&](Connection& db) { answer = grant_once(db, grant, now); });
    return answer;
  }

  Wallet wallet(UserId owner) override {
    Wallet wallet;
    database_.read([&](Connection& db) { wallet = read_wallet(db, owner); });
    return wallet;
  }

  std::vector<Credit> entries(UserId owner, std::int64_t after, std::size_t limit) override {
    return select_credits(kEntries, owner, after, limit);
  }

  std::vector<Credit> entries_before(UserId owner, std::int64_t before,
                                     std::size_t limit) override {
    const std::int64_t last = std::numeric_limits<std::int64_t>::max();
    return select_credits(kEntriesBefore, owner, before == 0 ? last : before, limit);
  }

  std::int64_t reserved_for(JobId job) override {
    std::int64_t reserved = 0;
    database_.read([&](Connection& db) { reserved = db.number(kReservedFor, {job}); });
    return reserved;
  }

  void audit(std::span<const NewAudit> entries, Time now) override {
    database_.write(1, [&](Connection& db) {
      for (const NewAudit& entry : entries) {
        ensure(!entry.action.empty(), "an audit entry says what was done");
        write_audit(db, entry, now);
      }
    });
  }

  std::vector<AuditEntry> audits(std::int64_t after, std::size_t limit) override {
    return select_audits(kAudits, after, limit);
  }

  std::vector<AuditEntry> audits_before(std::int64_t before, std::size_t limit) override {
    return select_audits(kAuditsBefore, before ? before : std::numeric_limits<std::int64_t>::max(),
                         limit);
  }

 private:
  std::vector<Credit> select_credits(const char* sql, UserId owner, std::int64_t from,
                                     std::size_t limit) {
    std::vector<Credit> credits;
    database_.read([&](Connection& db) {
      Query rows{db, sql, {owner, from, std::min(limit, kListMax)}};
      while (rows.step())
        credits.push_back({rows.integer(0), UserId{rows.integer(1)}, JobId{rows.integer(2)},
                           rows.string(3), rows.integer(4), rows.time(5), rows.string(6)});
    });
    return credits;
  }

  std::vector<AuditEntry> select_audits(const char* sql, std::int64_t from, std::size_t limit) {
    std::vector<AuditEntry> entries;
    database_.read([&](Connection& db) {
      Query rows{db, sql, {from, std::min(limit, kListMax)}};
      while (rows.step())
        entries.push_back({rows.integer(0), rows.time(1), rows.string(2), JobId{rows.integer(3)},
                           rows.string(4), rows.string(5)});
    });
    return entries;
  }

  Database& database_;
};

}  // namespace

std::unique_ptr<Ledger> make_ledger(Database& database) {
  return std::make_unique<SqliteLedger>(database);
}

}  // namespace haul::sqlite

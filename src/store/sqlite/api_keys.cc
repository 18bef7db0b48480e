// Implements ApiKeys of store/access.h on SQLite.

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "store/access.h"
#include "store/reader.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/user_rows.h"

namespace haul::sqlite {
namespace {

constexpr std::int64_t kTouchAgainMs = 60'000;  // Wait after a use could not be written.

constexpr const char* kInsert = R"(
INSERT INTO api_keys (user, name, scopes, prefix, hash, created_at, expires_at, maker)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8))";

constexpr const char* kTaken = "SELECT 1 FROM api_keys WHERE prefix = ?1";
constexpr const char* kCount =
    "SELECT count(*) FROM api_keys WHERE user = ?1 AND revoked_at IS NULL";

constexpr const char* kById = R"(
SELECT id, user, name, scopes, prefix, created_at, expires_at, used_at, revoked_at, maker
  FROM api_keys
 WHERE id = ?1)";

constexpr const char* kLive = R"(
SELECT k.id, k.user, k.name, k.scopes, k.prefix, k.created_at, k.expires_at, k.used_at,
       k.revoked_at, k.maker, k.hash, u.id, u.name, u.status, u.role, u.created_at
  FROM api_keys k JOIN users u ON u.id = k.user
 WHERE k.prefix = ?1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?2)
   AND u.status = 'ACTIVE')";

constexpr const char* kList = R"(
SELECT id, user, name, scopes, prefix, created_at, expires_at, used_at, revoked_at, maker
  FROM api_keys
 WHERE id < ?1
 ORDER BY id DESC
 LIMIT ?2)";

// Uses index api_keys_user, to which SQLite appends the id.
constexpr const char* kListOf = R"(
SELECT id, user, name, scopes, prefix, created_at, expires_at, used_at, revoked_at, maker
  FROM api_keys
 WHERE id < ?1 AND user = ?3
 ORDER BY id DESC
 LIMIT ?2)";

constexpr const char* kRevoke =
    "UPDATE api_keys SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
// Rides api_keys_maker.
constexpr const char* kRevokeWithMade = R"(
WITH RECURSIVE made (id) AS (
  SELECT ?1
  UNION
  SELECT k.id FROM made JOIN api_keys k ON k.maker = made.id)
UPDATE api_keys
   SET revoked_at = ?2
 WHERE id IN (SELECT id FROM made) AND revoked_at IS NULL)";
constexpr const char* kIsRevoked =
    "SELECT 1 FROM api_keys WHERE id = ?1 AND revoked_at IS NOT NULL";
constexpr const char* kExists = "SELECT 1 FROM api_keys WHERE id = ?1";

// A use in the future was written before the clock was set back.
constexpr const char* kIsOld = R"(
SELECT 1
  FROM api_keys
 WHERE id = ?1 AND (used_at IS NULL OR used_at <= ?2 - 60000 OR used_at > ?2))";
constexpr const char* kTouch = R"(
UPDATE api_keys
   SET used_at = ?2
 WHERE id = ?1 AND (used_at IS NULL OR used_at <= ?2 - 60000 OR used_at > ?2))";

ApiKey read_key(const Query& row) {
  return {.id = {row.integer(0)},
          .user = {row.integer(1)},
          .name = row.string(2),
          .scopes = read_scopes(row.text(3)),
          .prefix = row.string(4),
          .created_at = row.time(5),
          .expires_at = row.maybe_time(6),
          .used_at = row.maybe_time(7),
          .revoked_at = row.maybe_time(8),
          .maker = {row.integer(9)}};
}

std::optional<ApiKey> find_key(Connection& db, ApiKeyId id) {
  Query row{db, kById, {id}};
  if (!row.step()) return std::nullopt;
  return read_key(row);
}

std::expected<ApiKey, Refusal> add_key(Connection& db, const NewApiKey& key, Time now) {
  if (auto refusal = why_not_active(db, key.user)) return std::unexpected{*std::move(refusal)};
  if (db.number(kCount, {key.user}) >= static_cast<std::int64_t>(key.keys_max))
    return refuse(RefusalKind::guarded, "too_many_keys",
                  fmt::format("{} keys at most; revoke one", key.keys_max));
  if (db.number(kTaken, {key.prefix}) == 1)
    return refuse(RefusalKind::guarded, "prefix_taken", "another key has this prefix");
  // It was revoked while its request was on the way.
  if (db.number(kIsRevoked, {key.maker}) == 1)
    return refuse(RefusalKind::guarded, "key_revoked", "the key that asks is revoked");
  const std::string scopes = to_text(key.scopes);
  db.run(kInsert, {key.user, key.name, scopes, key.prefix, key.hash, now, key.expires_at,
                   or_null(key.maker)});
  auto added = find_key(db, ApiKeyId{db.last_id()});
  if (!added) throw StoreFault{StoreFault::Kind::broken, "a new API key cannot be read back"};
  return *std::move(added);
}

class SqliteApiKeys final : public ApiKeys {
 public:
  explicit SqliteApiKeys(Database& database) : database_{database} {}

  std::expected<ApiKey, Refusal> add(const NewApiKey& key, Time now) override {
    if (!is_name(key.name)) return refuse_name();
    if (key.scopes.empty())
      return refuse(RefusalKind::guarded, "no_scope", "a key has at least one scope");
    std::expected<ApiKey, Refusal> answer;
    database_.write(1, [&](Connection& db) { answer = add_key(db, key, now); });
    return answer;
  }

  std::optional<LiveApiKey> live(const std::string& prefix, Time now) override {
    std::optional<LiveApiKey> found;
    database_.read([&](Connection& db) {
      Query row{db, kLive, {prefix, now}};
      if (row.step()) found = {read_key(row), row.string(10), read_user(row, 11)};
    });
    return found;
  }

  std::optional<ApiKey> find(ApiKeyId id) override {
    std::optional<ApiKey> key;
    database_.read([&](Connection& db) { key = find_key(db, id); });
    return key;
  }

  std::vector<ApiKey> list(const ApiKeyFilter& filter) override {
    const std::int64_t before =
        filter.before ? filter.before.value : std::numeric_limits<std::int64_t>::max();
    const std::size_t limit = std::min(filter.limit, kListMax);
    std::vector<ApiKey> keys;
    database_.read([&](Connection& db) {
      Query rows{db, filter.user ? kListOf : kList, {before, limit, filter.user}};
      while (rows.step()) keys.push_back(read_key(rows));
    });
    return keys;
  }

  bool revoke(ApiKeyId id, Time now) override {
    bool is_there = false;
    database_.write(1, [&](Connection& db) {
      db.run(kRevoke, {id, now});
      is_there = db.number(kExists, {id}) == 1;
    });
    return is_there;
  }

  std::size_t revoke_with_made(ApiKeyId id, Time now) override {
    std::int64_t revoked = 0;
    database_.write(1, [&](Connection& db) { revoked = db.run(kRevokeWithMade, {id, now}); });
    return static_cast<std::size_t>(revoked);
  }

  void touch(ApiKeyId id, Time now) override {
    const std::int64_t now_ms = to_unix_ms(now);
    // A failure in the future is of a clock that was set back.
    const std::int64_t passed_ms = now_ms - failed_ms_;
    if (passed_ms >= 0 && passed_ms < kTouchAgainMs) return;
    bool is_old = false;
    database_.read([&](Connection& db) { is_old = db.number(kIsOld, {id, now}) == 1; });
    if (!is_old) return;
    try {
      database_.write(1, [&](Connection& db) { db.run(kTouch, {id, now}); });
    } catch (const StoreFault& fault) {
      if (!is_passing(fault.kind())) throw;
      failed_ms_ = now_ms;
    }
  }

 private:
  Database& database_;
  std::atomic<std::int64_t> failed_ms_ = std::numeric_limits<std::int32_t>::min();
};

}  // namespace

std::unique_ptr<ApiKeys> make_api_keys(Database& database) {
  return std::make_unique<SqliteApiKeys>(database);
}

}  // namespace haul::sqlite

// Implements Sessions of store/access.h on SQLite.

#include <algorithm>

#include "store/access.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/user_rows.h"

namespace haul::sqlite {
namespace {

constexpr std::size_t kSessionsMax = 100;
constexpr std::size_t kPruneMax = 4'000;

constexpr const char* kInsert = R"(
INSERT INTO sessions (token_hash, user, created_at, expires_at, scopes, key)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))";

constexpr const char* kTaken = "SELECT 1 FROM sessions WHERE token_hash = ?1";

// Uses index sessions_user, newest first; deletes all sessions after the first ?2.
constexpr const char* kCloseOldest = R"(
DELETE FROM sessions
 WHERE token_hash IN (SELECT token_hash
                        FROM sessions
                       WHERE user = ?1
                       ORDER BY created_at DESC
                       LIMIT -1 OFFSET ?2))";

constexpr const char* kLive = R"(
SELECT s.token_hash, s.user, s.created_at, s.expires_at, s.scopes, s.key,
       u.id, u.name, u.status, u.role, u.created_at
  FROM sessions s
       JOIN users u ON u.id = s.user
       LEFT JOIN api_keys k ON k.id = s.key
 WHERE s.token_hash = ?1 AND s.expires_at > ?2 AND u.status = 'ACTIVE'
   AND (s.key IS NULL
        OR k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?2)))";

constexpr const char* kExtend = R"(
UPDATE sessions
   SET expires_at = max(expires_at, ?3)
 WHERE token_hash = ?1 AND expires_at > ?2
   AND EXISTS (SELECT 1 FROM users WHERE id = sessions.user AND status = 'ACTIVE')
   AND (key IS NULL
        OR EXISTS (SELECT 1
                     FROM api_keys k
                    WHERE k.id = sessions.key AND k.revoked_at IS NULL
                      AND (k.expires_at IS NULL OR k.expires_at > ?2))))";

constexpr const char* kClose = "DELETE FROM sessions WHERE token_hash = ?1";
constexpr const char* kCloseAll = "DELETE FROM sessions WHERE user = ?1";

// Uses index sessions_expiry.
constexpr const char* kPrune = R"(
DELETE FROM sessions
 WHERE token_hash IN (SELECT token_hash
                        FROM sessions
                       WHERE expires_at <= ?1
                       ORDER BY expires_at
                       LIMIT ?2))";

std::expected<void, Refusal> open_session(Connection& db, const Session& session) {
  if (auto refusal = why_not_active(db, session.user)) return std::unexpected{*std::move(refusal)};
  if (db.number(kTaken, {session.token_hash}) == 1)
    return refuse(RefusalKind::guarded, "token_taken", "another session has this token");
  db.run(kCloseOldest, {session.user, kSessionsMax - 1});
  const std::string scopes = to_text(session.scopes);
  db.run(kInsert, {session.token_hash, session.user, session.created_at, session.expires_at, scopes,
                   or_null(session.key)});
  return {};
}

class SqliteSessions final : public Sessions {
 public:
  explicit SqliteSessions(Database& database) : database_{database} {}

  std::expected<void, Refusal> open(const Session& session) override {
    std::expected<void, Refusal> answer;
    database_.write(1, [&](Connection& db) { answer = open_session(db, session); });
    return answer;
  }

  std::optional<LiveSession> find(const std::string& token_hash, Time now) override {
    std::optional<LiveSession> found;
    database_.read([&](Connection& db) {
      Query row{db, kLive, {token_hash, now}};
      if (!row.step()) return;
      found = {{row.string(0), UserId{row.integer(1)}, row.time(2), row.time(3),
                read_scopes(row.text(4)), ApiKeyId{row.integer(5)}},
               read_user(row, 6)};
    });
    return found;
  }

  bool extend(const std::string& token_hash, Time expires_at, Time now) override {
    return changed(kExtend, {token_hash, now, expires_at}) == 1;
  }

  bool close(const std::string& token_hash) override { return changed(kClose, {token_hash}) == 1; }

  std::size_t close_all(UserId user) override { return changed(kCloseAll, {user}); }

  std::size_t prune(Time now, std::size_t limit) override {
    return changed(kPrune, {now, std::min(limit, kPruneMax)});
  }

 private:
  std::size_t changed(const char* sql, std::initializer_list<Value> values) {
    std::int64_t rows = 0;
    database_.write(1, [&](Connection& db) { rows = db.run(sql, values); });
    return static_cast<std::size_t>(rows);
  }

  Database& database_;
};

}  // namespace

std::unique_ptr<Sessions> make_sessions(Database& database) {
  return std::make_unique<SqliteSessions>(database);
}

}  // namespace haul::sqlite

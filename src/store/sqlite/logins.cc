#include <fmt/core.h>

#include <algorithm>

#include "base/lockout.h"
#include "store/access.h"
#include "store/sqlite/audit.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/salt.h"

namespace haul::sqlite {
namespace {

constexpr std::int64_t kNamesMax = 10'000;  // Names that no user has.

constexpr const char* kUser = "SELECT 1 FROM users WHERE id = ?1";

constexpr const char* kSetPassword = R"(
INSERT INTO passwords (user, hash, changed_at)
VALUES (?1, ?2, ?3)
ON CONFLICT (user) DO UPDATE
   SET hash = excluded.hash, changed_at = excluded.changed_at)";
constexpr const char* kNoPassword = "DELETE FROM passwords WHERE user = ?1";
constexpr const char* kCloseAll = "DELETE FROM sessions WHERE user = ?1";

constexpr const char* kPassword = R"(
SELECT p.hash
  FROM passwords p JOIN users u ON u.id = p.user
 WHERE p.user = ?1 AND u.status = 'ACTIVE')";

constexpr const char* kFailures =
    "SELECT failures, failed_at FROM login_failures WHERE name_hash = ?1";

constexpr const char* kFail = R"(
INSERT INTO login_failures (name_hash, failures, failed_at, user)
VALUES (?1, ?2, ?3, (SELECT id FROM users WHERE name = ?4))
ON CONFLICT (name_hash) DO UPDATE
   SET failures = excluded.failures, failed_at = excluded.failed_at, user = excluded.user)";

// Uses index login_failures_made_up. Removes one row, because there is never more than one too
// many. Keeps the row just written, even if it is the oldest because the clock was set back.
constexpr const char* kForget = R"(
DELETE FROM login_failures
 WHERE name_hash = (SELECT name_hash
                      FROM login_failures
                     WHERE user IS NULL AND name_hash <> ?1
                     ORDER BY failed_at
                     LIMIT 1)
   AND (SELECT count(*) FROM login_failures WHERE user IS NULL) > ?2)";

constexpr const char* kNamed = "SELECT id FROM users WHERE name = ?1";
constexpr const char* kWriteAgain = R"(
UPDATE login_failures
   SET failures = failures
 WHERE name_hash = ?1)";

constexpr const char* kClear = "DELETE FROM login_failures WHERE name_hash = ?1";

LoginFailures read_failures(Connection& db, const std::string& hash, Time now) {
  Query row{db, kFailures, {hash}};
  if (!row.step()) return {};
  const LoginFailures failures{static_cast<int>(row.integer(0)), row.time(1)};
  return is_forgotten(failures, now) ? LoginFailures{} : failures;
}

std::expected<int, Time> count_try(Connection& db, std::string_view name, Time now) {
  constexpr int kMost = 1'000'000;
  const std::string hash = name_hash(db, name);
  const LoginFailures before = read_failures(db, hash, now);
  if (const auto until = refused_until(before, now)) return std::unexpected{*until};
  const int failures = std::min(before.count, kMost) + 1;
  db.run(kFail, {hash, failures, now, name});
  db.run(kForget, {hash, kNamesMax});
  return failures;
}

void write_failed(Connection& db, std::string_view name, Time now) {
  const std::string hash = name_hash(db, name);
  const LoginFailures failures = read_failures(db, hash, now);
  const UserId user{db.number(kNamed, {name})};
  if (!user) {
    db.run(kWriteAgain, {hash});
    return;
  }
  write_audit(
      db, {.user = user, .action = "LOGIN_FAILED", .detail = fmt::format("user {}", user.value)},
      now);
  if (const auto until = refused_until(failures, now))
    write_audit(db,
                {.user = user,
                 .action = "LOCKED_OUT",
                 .detail = fmt::format("user {} until {}", user.value, to_iso(*until))},
                now);
}

class SqliteLogins final : public Logins {
 public:
  explicit SqliteLogins(Database& database) : database_{database} {}

  bool set_password(UserId user, const std::string& hash, Time now) override {
    bool is_there = false;
    database_.write(1, [&](Connection& db) {
      is_there = db.number(kUser, {user}) == 1;
      if (!is_there) return;
      if (hash.empty())
        db.run(kNoPassword, {user});
      else
        db.run(kSetPassword, {user, hash, now});
      db.run(kCloseAll, {user});
    });
    return is_there;
  }

  std::optional<std::string> password(UserId user) override {
    std::optional<std::string> hash;
    database_.read([&](Connection& db) {
      Query row{db, kPassword, {user}};
      if (row.step()) hash = row.string(0);
    });
    return hash;
  }

  std::expected<int, Time> take_try(std::string_view name, Time now) override {
    std::expected<int, Time> answer;
    database_.write(1, [&](Connection& db) { answer = count_try(db, name, now); });
    return answer;
  }

  void succeeded(std::string_view name) override {
    database_.write(1, [&](Connection& db) { db.run(kClear, {name_hash(db, name)}); });
  }

  void failed(std::string_view name, Time now) override {
    database_.write(1, [&](Connection& db) { write_failed(db, name, now); });
  }

 private:
  Database& database_;
};

}  // namespace

std::unique_ptr<Logins> make_logins(Database& database) {
  return std::make_unique<SqliteLogins>(database);
}

}  // namespace haul::sqlite

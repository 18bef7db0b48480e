// Implements Users on SQLite.

#include "store/users.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "store/reader.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/user_rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kInsert = R"(
INSERT INTO users (name, status, role, created_at)
VALUES (?1, 'ACTIVE', ?2, ?3))";

constexpr const char* kById = "SELECT id, name, status, role, created_at FROM users WHERE id = ?1";
constexpr const char* kByName =
    "SELECT id, name, status, role, created_at FROM users WHERE name = ?1";

constexpr const char* kList = R"(
SELECT id, name, status, role, created_at
  FROM users
 WHERE id > ?1
 ORDER BY id
 LIMIT ?2)";

constexpr const char* kSet = "UPDATE users SET status = ?2, role = ?3 WHERE id = ?1";

constexpr const char* kCloseSessions = "DELETE FROM sessions WHERE user = ?1";

// By all that is_blank takes for blanks; earlier versions kept them, and let names differ by case.
constexpr const char* kNameTaken = R"(
SELECT EXISTS (SELECT 1
                 FROM users
                WHERE id <> ?1
                  AND trim(name, char(32, 9, 10, 11, 12, 13)) = ?2 COLLATE NOCASE))";
constexpr const char* kRename = "UPDATE users SET name = ?2 WHERE id = ?1";

constexpr const char* kOtherAdmins = R"(
SELECT count(*)
  FROM users
 WHERE id <> ?1 AND status = 'ACTIVE' AND role = 'admin')";

std::optional<User> find_user(Connection& db, const char* sql, Value value) {
  Query row{db, sql, {value}};
  if (!row.step()) return std::nullopt;
  return read_user(row, 0);
}

std::optional<Refusal> why_taken(Connection& db, UserId by_other_than, const std::string& name) {
  if (db.number(kNameTaken, {by_other_than, name}) == 0) return std::nullopt;
  return Refusal{RefusalKind::guarded, "name_taken", fmt::format("'{}'", name)};
}

class SqliteUsers final : public Users {
 public:
  explicit SqliteUsers(Database& database) : database_{database} {}

  std::expected<User, Refusal> add(const std::string& given, Role role, Time now) override {
    const std::string name{trimmed(given)};
    if (!is_name(name)) return refuse_name();
    std::expected<User, Refusal> answer;
    database_.write(1, [&](Connection& db) {
      if (auto refusal = why_taken(db, UserId{}, name)) {
        answer = std::unexpected{*std::move(refusal)};
        return;
      }
      db.run(kInsert, {name, text(role), now});
      const std::optional<User> added = find_user(db, kByName, name);
      if (!added) throw StoreFault{StoreFault::Kind::broken, "a new user cannot be read back"};
      answer = *added;
    });
    return answer;
  }

  std::expected<User, Refusal> rename(UserId id, const std::string& given) override {
    const std::string name{trimmed(given)};
    if (!is_name(name)) return refuse_name();
    std::expected<User, Refusal> answer;
    database_.write(1, [&](Connection& db) { answer = rename_user(db, id, name); });
    return answer;
  }

  std::optional<User> find(UserId id) override { return select(kById, id); }
  std::optional<User> find(const std::string& name) override { return select(kByName, name); }

  std::vector<User> list(UserId after, std::size_t limit) override {
    std::vector<User> users;
    database_.read([&](Connection& db) {
      Query rows{db, kList, {after, std::min(limit, kListMax)}};
      while (rows.step()) users.push_back(read_user(rows, 0));
    });
    return users;
  }

  std::expected<User, Refusal> set(UserId id, UserStatus status, Role role) override {
    std::expected<User, Refusal> answer;
    database_.write(1, [&](Connection& db) { answer = set_user(db, id, status, role); });
    return answer;
  }

 private:
  static std::expected<User, Refusal> set_user(Connection& db, UserId id, UserStatus status,
                                               Role role) {
    const bool still_admin = status == UserStatus::active && role == Role::admin;
    if (!still_admin && db.number(kOtherAdmins, {id}) == 0)
      return refuse(RefusalKind::guarded, "last_admin", "one user must stay an active admin");
    if (!still_admin && id == kAdmin)
      return refuse(RefusalKind::guarded, "first_admin",
                    "user 1 has admin.key, so it stays an active admin; revoke its keys or set its "
                    "password instead");
    db.run(kSet, {id, text(status), text(role)});
    if (status != UserStatus::active) db.run(kCloseSessions, {id});
    if (auto user = find_user(db, kById, id)) return *std::move(user);
    return refuse(RefusalKind::stale, "no_such_user", fmt::format("user {}", id.value));
  }

  static std::expected<User, Refusal> rename_user(Connection& db, UserId id,
                                                  const std::string& name) {
    if (auto refusal = why_taken(db, id, name)) return std::unexpected{*std::move(refusal)};
    db.run(kRename, {id, name});
    if (auto user = find_user(db, kById, id)) return *std::move(user);
    return refuse(RefusalKind::stale, "no_such_user", fmt::format("user {}", id.value));
  }

  std::optional<User> select(const char* sql, Value value) {
    std::optional<User> user;
    database_.read([&](Connection& db) { user = find_user(db, sql, value); });
    return user;
  }

  Database& database_;
};

}  // namespace

std::unique_ptr<Users> make_users(Database& database) {
  return std::make_unique<SqliteUsers>(database);
}

}  // namespace haul::sqlite

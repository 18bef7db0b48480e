// Implements Users on SQLite.

#include "store/users.h"

#include <fmt/core.h>

#include <algorithm>

#include "store/reader.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/user_rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kInsert = R"(
INSERT INTO users (name, status, role, created_at)
VALUES (?1, 'ACTIVE', ?2, ?3)
ON CONFLICT (name) DO NOTHING)";

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

constexpr const char* kNameTaken = "SELECT 1 FROM users WHERE name = ?2 AND id <> ?1";
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

class SqliteUsers final : public Users {
 public:
  explicit SqliteUsers(Database& database) : database_{database} {}

  std::expected<User, Refusal> add(const std::string& name, Role role, Time now) override {
    if (!is_name(name)) return refuse_name();
    std::expected<User, Refusal> answer;
    database_.write(1, [&](Connection& db) {
      if (db.run(kInsert, {name, text(role), now}) == 1)
        answer = find_user(db, kByName, name).value();
      else
        answer = refuse(RefusalKind::guarded, "name_taken", fmt::format("'{}'", name));
    });
    return answer;
  }

  std::expected<User, Refusal> rename(UserId id, const std::string& name) override {
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
      return refuse(RefusalKind::guarded, "last_admin", "somebody must be an active admin");
    if (!still_admin && id == kAdmin)
      return refuse(RefusalKind::guarded, "first_admin",
                    "user 1 has admin.key, so it stays an active admin; revoke its keys or set its "
                    "password instead");
    db.run(kSet, {id, text(status), text(role)});
    if (auto user = find_user(db, kById, id)) return *std::move(user);
    return refuse(RefusalKind::stale, "no_such_user", fmt::format("user {}", id.value));
  }

  static std::expected<User, Refusal> rename_user(Connection& db, UserId id,
                                                  const std::string& name) {
    if (db.number(kNameTaken, {id, name}) == 1)
      return refuse(RefusalKind::guarded, "name_taken", fmt::format("'{}'", name));
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

#include "store/users.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "store/reader.h"
#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr std::size_t kNameMax = 200;

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

constexpr const char* kOtherAdmins = R"(
SELECT count(*)
  FROM users
 WHERE id <> ?1 AND status = 'ACTIVE' AND role = 'admin')";

constexpr std::array<std::string_view, 3> kStatuses{"ACTIVE", "BLOCKED", "DELETED"};
constexpr std::array<std::string_view, 4> kRoles{"viewer", "adder", "operator", "admin"};

std::string_view text(UserStatus status) { return kStatuses.at(static_cast<std::size_t>(status)); }
std::string_view text(Role role) { return kRoles.at(static_cast<std::size_t>(role)); }

User read_user(const Query& row) {
  User user;
  row.id(0, user.id);
  user.name = row.string(1);
  user.status =
      static_cast<UserStatus>(std::ranges::find(kStatuses, row.text(2)) - kStatuses.begin());
  user.role = static_cast<Role>(std::ranges::find(kRoles, row.text(3)) - kRoles.begin());
  user.created_at = row.time(4);
  return user;
}

std::optional<User> find_user(Connection& db, const char* sql, Value value) {
  Query row{db, sql, {value}};
  if (!row.step()) return std::nullopt;
  return read_user(row);
}

std::unexpected<Refusal> refuse(RefusalKind kind, std::string_view code, std::string detail) {
  return std::unexpected{Refusal{kind, std::string{code}, std::move(detail)}};
}

class SqliteUsers final : public Users {
 public:
  explicit SqliteUsers(Database& database) : database_{database} {}

  std::expected<User, Refusal> add(const std::string& name, Role role, Time now) override {
    if (name.empty() || name.size() > kNameMax || name.find('\0') != std::string::npos)
      return refuse(RefusalKind::guarded, "bad_name", "a name has 1 to 200 bytes, none of them 0");
    std::expected<User, Refusal> answer;
    database_.write(1, [&](Connection& db) {
      if (db.run(kInsert, {name, text(role), now}) == 1)
        answer = find_user(db, kByName, name).value();
      else
        answer = refuse(RefusalKind::guarded, "name_taken", fmt::format("'{}'", name));
    });
    return answer;
  }

  std::optional<User> find(UserId id) override { return select(kById, id); }
  std::optional<User> find(const std::string& name) override { return select(kByName, name); }

  std::vector<User> list(UserId after, std::size_t limit) override {
    std::vector<User> users;
    database_.read([&](Connection& db) {
      Query rows{db, kList, {after, std::min(limit, kListMax)}};
      while (rows.step()) users.push_back(read_user(rows));
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
    db.run(kSet, {id, text(status), text(role)});
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

#include "store/sqlite/user_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace haul::sqlite {
namespace {

constexpr std::size_t kNameMax = 200;

constexpr const char* kStatus = "SELECT status FROM users WHERE id = ?1";

constexpr std::array<std::string_view, 3> kStatuses{"ACTIVE", "BLOCKED", "DELETED"};
constexpr std::array<std::string_view, 4> kRoles{"viewer", "adder", "operator", "admin"};

}  // namespace

std::string_view text(UserStatus status) { return kStatuses.at(static_cast<std::size_t>(status)); }
std::string_view text(Role role) { return kRoles.at(static_cast<std::size_t>(role)); }

User read_user(const Query& row, int first) {
  User user;
  row.id(first, user.id);
  user.name = row.string(first + 1);
  user.status = static_cast<UserStatus>(std::ranges::find(kStatuses, row.text(first + 2)) -
                                        kStatuses.begin());
  user.role = static_cast<Role>(std::ranges::find(kRoles, row.text(first + 3)) - kRoles.begin());
  user.created_at = row.time(first + 4);
  return user;
}

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kNameMax && name.find('\0') == std::string_view::npos &&
         is_utf8(name);
}

std::unexpected<Refusal> refuse_name() {
  return refuse(RefusalKind::guarded, "bad_name",
                "a name has 1 to 200 bytes of UTF-8, none of "
                "them 0");
}

std::unexpected<Refusal> refuse(RefusalKind kind, std::string_view code, std::string detail) {
  return std::unexpected{Refusal{kind, std::string{code}, std::move(detail)}};
}

std::optional<Refusal> why_not_active(Connection& db, UserId user) {
  Query row{db, kStatus, {user}};
  if (!row.step())
    return Refusal{RefusalKind::stale, "no_such_user", fmt::format("user {}", user.value)};
  if (row.text(0) == text(UserStatus::active)) return std::nullopt;
  return Refusal{RefusalKind::guarded, "user_not_active", fmt::format("user {}", user.value)};
}

}  // namespace haul::sqlite

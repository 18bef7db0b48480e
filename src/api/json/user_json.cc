#include "api/json/user_json.h"

#include <fmt/core.h>

#include "base/json.h"

namespace haul::api {

std::string_view role_name(Role role) {
  switch (role) {
    case Role::viewer:
      return "viewer";
    case Role::adder:
      return "adder";
    case Role::operating:
      return "operator";
    case Role::admin:
      return "admin";
  }
  return "viewer";
}
std::optional<Role> role_named(std::string_view text) {
  for (const Role role : {Role::viewer, Role::adder, Role::operating, Role::admin})
    if (role_name(role) == text) return role;
  return std::nullopt;
}

std::string_view status_name(UserStatus status) {
  switch (status) {
    case UserStatus::active:
      return "active";
    case UserStatus::blocked:
      return "blocked";
    case UserStatus::deleted:
      return "deleted";
  }
  return "blocked";
}
std::optional<UserStatus> status_named(std::string_view text) {
  for (const UserStatus status : {UserStatus::active, UserStatus::blocked, UserStatus::deleted})
    if (status_name(status) == text) return status;
  return std::nullopt;
}

std::string user_json(const User& user) {
  return fmt::format(R"({{"id":{},"name":{},"role":"{}","status":"{}","created_at":"{}"}})",
                     user.id.value, json_quoted(user.name), role_name(user.role),
                     status_name(user.status), to_iso(user.created_at));
}

std::string scopes_json(Scopes scopes) {
  std::string out;
  for (const Scope scope : {Scope::read, Scope::add, Scope::operate, Scope::admin})
    if (scopes.has(scope)) out += fmt::format("{}\"{}\"", out.empty() ? "" : ",", name(scope));
  return "[" + out + "]";
}

}  // namespace haul::api

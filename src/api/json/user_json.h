#pragma once
// Users and scopes as the API writes them.

#include <optional>
#include <string>
#include <string_view>

#include "store/scopes.h"
#include "store/users.h"

namespace haul::api {

std::string_view role_name(Role role);
std::optional<Role> role_named(std::string_view text);
std::string_view status_name(UserStatus status);
std::optional<UserStatus> status_named(std::string_view text);

std::string user_json(const User& user);
std::string scopes_json(Scopes scopes);  // ["read","add"]

}  // namespace haul::api

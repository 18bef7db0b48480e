#pragma once
// Users as they are in rows, for all who join them.

#include <string_view>

#include "store/sqlite/db.h"
#include "store/users.h"

namespace haul::sqlite {

std::string_view text(UserStatus status);
std::string_view text(Role role);

// From the columns id, name, status, role, created_at, which begin at `first`.
User read_user(const Query& row, int first);

// What a user or a key may be called: 1 to 200 bytes of UTF-8, none of them 0.
bool is_name(std::string_view name);
std::unexpected<Refusal> refuse_name();

std::unexpected<Refusal> refuse(RefusalKind kind, std::string_view code, std::string detail);

// Why somebody who is not an active user may not have what was asked for; nothing: the user is one.
std::optional<Refusal> why_not_active(Connection& db, UserId user);

}  // namespace haul::sqlite

#pragma once
// Reads and checks user rows, for every part that joins them.

#include <string_view>

#include "store/sqlite/db.h"
#include "store/users.h"

namespace haul::sqlite {

std::string_view text(UserStatus status);
std::string_view text(Role role);

// Reads the columns id, name, status, role, created_at, which begin at `first`.
User read_user(const Query& row, int first);

// True for a valid name of a user or a key: 1 to 200 bytes of UTF-8, none of them 0.
bool is_name(std::string_view name);
std::unexpected<Refusal> refuse_name();

std::unexpected<Refusal> refuse(RefusalKind kind, std::string_view code, std::string detail);

// The refusal if the user does not exist or is not active; nothing if the user is active.
std::optional<Refusal> why_not_active(Connection& db, UserId user);

}  // namespace haul::sqlite

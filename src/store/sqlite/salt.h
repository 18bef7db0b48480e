#pragma once
// Users appear in the audit log only as a salted hash; the salt never leaves the file.

#include <string>
#include <string_view>

#include "store/sqlite/db.h"

namespace haul::sqlite {

std::string user_hash(Connection& db, UserId user);
// The same for a name typed at login, which may belong to no user.
std::string name_hash(Connection& db, std::string_view name);

}  // namespace haul::sqlite

#pragma once
// Users appear in the audit log only as a salted hash; the salt never leaves the file.

#include <string>

#include "store/sqlite/db.h"

namespace haul::sqlite {

std::string user_hash(Connection& db, UserId user);

}  // namespace haul::sqlite

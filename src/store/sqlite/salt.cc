#include "store/sqlite/salt.h"

#include <fmt/core.h>

#include "base/hash.h"
#include "store/refusal.h"

namespace haul::sqlite {
namespace {

constexpr const char* kSalt = "SELECT value FROM meta WHERE name = 'salt'";

std::string salted(Connection& db, std::string_view text) {
  Query row{db, kSalt};
  if (!row.step()) throw StoreFault{StoreFault::Kind::broken, "the file has no salt"};
  return sha256_hex(fmt::format("{}:{}", row.text(0), text));
}

}  // namespace

std::string user_hash(Connection& db, UserId user) {
  return salted(db, std::to_string(user.value));
}

// The prefix keeps names apart from the ids of users, which are digits only.
std::string name_hash(Connection& db, std::string_view name) {
  return salted(db, fmt::format("name:{}", name));
}

}  // namespace haul::sqlite

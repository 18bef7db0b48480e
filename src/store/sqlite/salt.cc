#include "store/sqlite/salt.h"

#include <fmt/core.h>

#include "base/hash.h"
#include "store/refusal.h"

namespace haul::sqlite {
namespace {

constexpr const char* kSalt = "SELECT value FROM meta WHERE name = 'salt'";

}  // namespace

std::string user_hash(Connection& db, UserId user) {
  Query row{db, kSalt};
  if (!row.step()) throw StoreFault{StoreFault::Kind::broken, "the file has no salt"};
  return sha256_hex(fmt::format("{}:{}", row.text(0), user.value));
}

}  // namespace haul::sqlite

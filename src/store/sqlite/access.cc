// Implements Access on SQLite: holds API keys, sessions and logins.

#include "store/access.h"

#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

class SqliteAccess final : public Access {
 public:
  explicit SqliteAccess(Database& database)
      : keys_{make_api_keys(database)},
        sessions_{make_sessions(database)},
        logins_{make_logins(database)} {}

  ApiKeys& keys() override { return *keys_; }
  Sessions& sessions() override { return *sessions_; }
  Logins& logins() override { return *logins_; }

 private:
  std::unique_ptr<ApiKeys> keys_;
  std::unique_ptr<Sessions> sessions_;
  std::unique_ptr<Logins> logins_;
};

}  // namespace

std::unique_ptr<Access> make_access(Database& database) {
  return std::make_unique<SqliteAccess>(database);
}

}  // namespace haul::sqlite

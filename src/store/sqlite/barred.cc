#include "store/sqlite/barred.h"

namespace haul::sqlite {
namespace {

// A file may be of any version: those before keys and sessions have nothing to carry.
constexpr const char* kHasTable =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1";

constexpr const char* kStoreId = "SELECT value FROM meta WHERE name = 'store_id'";
constexpr const char* kRevoked = R"(
SELECT hash, revoked_at
  FROM api_keys
 WHERE revoked_at IS NOT NULL
 ORDER BY id)";
constexpr const char* kInactive = R"(
SELECT id, created_at, status
  FROM users
 WHERE status <> 'ACTIVE' AND id <> 1
 ORDER BY id)";

constexpr const char* kEndSessions = "DELETE FROM sessions";
constexpr const char* kRevoke = R"(
UPDATE api_keys
   SET revoked_at = ?2
 WHERE hash = ?1 AND revoked_at IS NULL)";
constexpr const char* kBar = R"(
UPDATE users
   SET status = ?3
 WHERE id = ?1 AND created_at = ?2 AND status = 'ACTIVE')";

bool has_table(Connection& db, const char* name) { return db.number(kHasTable, {name}) == 1; }

std::string store_id(Connection& db) {
  if (!has_table(db, "meta")) return {};
  Query row{db, kStoreId};
  return row.step() ? row.string(0) : std::string{};
}

}  // namespace

Barred read_barred(Connection& db) {
  Barred barred{.store = store_id(db), .keys = {}, .users = {}};
  if (has_table(db, "api_keys")) {
    Query rows{db, kRevoked};
    while (rows.step()) barred.keys.push_back({rows.string(0), rows.time(1)});
  }
  if (has_table(db, "users")) {
    Query rows{db, kInactive};
    while (rows.step())
      barred.users.push_back({UserId{rows.integer(0)}, rows.time(1), rows.string(2)});
  }
  return barred;
}

void end_sessions(Connection& db) {
  if (has_table(db, "sessions")) db.run(kEndSessions);
}

CarriedOver carry_over(Connection& db, const Barred& barred) {
  CarriedOver carried;
  Transaction transaction{db};
  if (has_table(db, "api_keys"))
    for (const Barred::Key& key : barred.keys)
      carried.keys += static_cast<std::size_t>(db.run(kRevoke, {key.hash, key.revoked_at}));
  if (!barred.store.empty() && barred.store == store_id(db))
    for (const Barred::Account& user : barred.users)
      carried.users +=
          static_cast<std::size_t>(db.run(kBar, {user.id, user.created_at, user.status}));
  transaction.commit();
  return carried;
}

}  // namespace haul::sqlite

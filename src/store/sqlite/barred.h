#pragma once
// Who must stay out when a backup replaces a database: keys revoked and users blocked since then.

#include <string>
#include <vector>

#include "store/open.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

struct Barred {
  struct Key {
    std::string hash;
    Time revoked_at;
  };
  struct Account {
    UserId id;
    Time created_at;  // With the id it tells the user from one of another line of backups.
    std::string status;
  };
  std::string store;  // Its id: in another store the same number is another user.
  std::vector<Key> keys;
  std::vector<Account> users;
};

// Of the database that is replaced.
Barred read_barred(Connection& db);

// Ends every session, whichever it is: haul cannot tell which of them were closed since the backup.
void end_sessions(Connection& db);

// Revokes and blocks in the backup what is barred; says what was not yet.
CarriedOver carry_over(Connection& db, const Barred& barred);

}  // namespace haul::sqlite

#pragma once
// Makes the parts of a store. All parts share one database.

#include <memory>

#include "store/bot.h"
#include "store/sqlite/database.h"
#include "store/uptime.h"

namespace haul::sqlite {

// A call has at most this many entries.
inline constexpr std::size_t kBatchMax = 4'000;
inline void check_size(std::size_t entries) {
  if (entries > kBatchMax)
    throw StoreFault{StoreFault::Kind::broken, "a batch has at most 4000 entries"};
}

std::unique_ptr<Jobs> make_jobs(Database& database);
std::unique_ptr<Reader> make_reader(Database& database);
std::unique_ptr<Items> make_items(Database& database);
std::unique_ptr<Events> make_events(Database& database);
std::unique_ptr<Workers> make_workers(Database& database);
std::unique_ptr<Intents> make_intents(Database& database);
std::unique_ptr<Catalog> make_catalog(Database& database);
std::unique_ptr<Users> make_users(Database& database);
std::unique_ptr<BotRows> make_bot_rows(Database& database);
std::unique_ptr<BotCatalogue> make_bot_catalogue(Database& database);
std::unique_ptr<Access> make_access(Database& database);
std::unique_ptr<ApiKeys> make_api_keys(Database& database);
std::unique_ptr<Sessions> make_sessions(Database& database);
std::unique_ptr<Logins> make_logins(Database& database);
std::unique_ptr<Ledger> make_ledger(Database& database);
std::unique_ptr<Limits> make_limits(Database& database);
std::unique_ptr<Manifest> make_manifest(Database& database);
std::unique_ptr<Purges> make_purges(Database& database);
std::unique_ptr<Deliveries> make_deliveries(Database& database);
std::unique_ptr<Identity> make_identity(Database& database);
std::unique_ptr<Uptime> make_uptime(Database& database);
std::unique_ptr<Duties> make_duties(Database& database);
std::unique_ptr<Sealed> make_sealed(Database& database);

// Z-31: writes into the database that it was restored.
void mark_restored(Connection& db, Time now);

}  // namespace haul::sqlite

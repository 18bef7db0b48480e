// Implements store/inspect.h on SQLite.

#include <fmt/core.h>

#include "store/sqlite/copy.h"
#include "store/sqlite/database.h"
#include "store/sqlite/lock.h"
#include "store/sqlite/migrate.h"
#include "store/sqlite/sqlite.h"

namespace haul {
namespace {

// Uses the primary key.
constexpr const char* kNewest = R"(
SELECT at
  FROM events
 ORDER BY id DESC
 LIMIT 1)";

constexpr const char* kShelved = R"(
SELECT b.title, a.media_type, a.path
  FROM assets a JOIN books b ON b.id = a.book
 WHERE a.status = 'available'
 ORDER BY a.id DESC
 LIMIT 10000)";

constexpr const char* kMissing = R"(
SELECT count(*)
  FROM assets
 WHERE book IS NOT NULL AND status = 'missing')";

// Uses the primary key.
constexpr const char* kHasKey = "SELECT 1 FROM caller_keys WHERE owner = ?1 AND key = ?2";

// Reads all items: a user waits for one answer.
constexpr const char* kReceipt = R"(
SELECT path, size, evidence
  FROM items
 WHERE evidence IS NOT NULL AND path = ?1
 ORDER BY id DESC
 LIMIT 1)";

// unfit() says in its second sentence what to do.
void split_way_out(StoreLook& look) {
  constexpr std::string_view kBetween = ". ";
  const std::size_t at = look.problem.find(kBetween);
  if (at == std::string::npos) return;
  look.way_out = look.problem.substr(at + kBetween.size());
  look.problem.resize(at);
}

void read(const std::filesystem::path& file, StoreLook& look) {
  const auto db = sqlite::open_reader(file);
  look.problem = sqlite::unfit(*db, sqlite::all_migrations());
  if (!look.problem.empty()) return split_way_out(look);
  if (!look.in_use) sqlite::look_over(*db);
  sqlite::Query row{*db, kNewest};
  if (row.step()) look.newest_event_at = row.time(0);
}

// Null if there is no store. Throws StoreFault if this binary cannot read it.
std::unique_ptr<sqlite::Connection> open_fit(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path file = folder / "haul.db";
  if (!std::filesystem::exists(file, error)) return nullptr;
  auto db = sqlite::open_reader(file);
  if (const std::string why = sqlite::unfit(*db, sqlite::all_migrations()); !why.empty())
    throw StoreFault{StoreFault::Kind::refused,
                     fmt::format("cannot read {}: {}", file.string(), why)};
  return db;
}

}  // namespace

StoreLook inspect_sqlite(const std::filesystem::path& folder) {
  StoreLook look;
  std::error_code error;
  const std::filesystem::path file = folder / "haul.db";
  look.on_network = sqlite::is_network_file_system(folder);
  look.exists = std::filesystem::exists(file, error);
  if (!look.exists) return look;
  look.in_use = sqlite::lock_owner(folder);
  try {
    read(file, look);
  } catch (const StoreFault& fault) {
    look.problem = fault.what();
  }
  return look;
}

ShelfLook inspect_sqlite_shelves(const std::filesystem::path& folder) {
  ShelfLook look;
  std::error_code error;
  const std::filesystem::path file = folder / "haul.db";
  if (!std::filesystem::exists(file, error)) return look;
  try {
    const auto db = sqlite::open_reader(file);
    if (!sqlite::unfit(*db, sqlite::all_migrations()).empty()) return look;
    look.missing = db->number(kMissing);
    sqlite::Query rows{*db, kShelved};
    while (rows.step()) look.files.push_back({rows.string(0), rows.string(1), rows.string(2)});
  } catch (const StoreFault&) {
    return {};  // inspect_sqlite() reports what is wrong with the store.
  }
  return look;
}

std::optional<Receipt> inspect_sqlite_receipt(const std::filesystem::path& folder,
                                              const std::string& path) {
  const auto db = open_fit(folder);
  if (!db) return std::nullopt;
  sqlite::Query row{*db, kReceipt, {path}};
  if (!row.step()) return std::nullopt;
  return Receipt{row.string(0), row.integer(1), row.string(2)};
}

std::vector<bool> inspect_sqlite_keys(const std::filesystem::path& folder, UserId owner,
                                      std::span<const std::string> keys) {
  std::vector<bool> known(keys.size());
  const auto db = keys.empty() ? nullptr : open_fit(folder);
  if (!db) return known;
  for (std::size_t i = 0; i < keys.size(); ++i)
    known[i] = db->number(kHasKey, {owner, keys[i]}) == 1;
  return known;
}

}  // namespace haul

#include "store/open.h"

#include "store/refusal.h"
#include "store/sqlite/sqlite.h"

namespace haul {
namespace {

constexpr std::string_view kSqlite = "sqlite:";
constexpr std::string_view kMemory = "memory:";

// The folder of a store that SQLite keeps. A plain path is one, too.
std::filesystem::path folder_of(const std::string& url) {
  if (url.starts_with(kSqlite)) return url.substr(kSqlite.size());
  if (url.find("://") != std::string::npos)
    throw StoreFault{StoreFault::Kind::refused,
                     "this haul does not know the kind of store: " + url.substr(0, url.find(':'))};
  return url;
}

}  // namespace

std::string store_url(const std::filesystem::path& data) {
  return std::string{kSqlite} + data.string();
}

std::unique_ptr<Store> open_store(const std::string& url, const StoreOptions& options, Time now) {
  if (url == kMemory) return open_sqlite_in_memory(options, now);
  return open_sqlite(folder_of(url), options, now);
}

void backup_store(const std::string& url, const std::filesystem::path& file) {
  backup_sqlite(folder_of(url), file);
}

Restored restore_store(const std::string& url, const std::filesystem::path& file, Time now) {
  return restore_sqlite(folder_of(url), file, now);
}

StoreLook inspect_store(const std::string& url) { return inspect_sqlite(folder_of(url)); }

ShelfLook inspect_shelves(const std::string& url) { return inspect_sqlite_shelves(folder_of(url)); }

LedgerLook inspect_ledger(const std::string& url) { return inspect_sqlite_ledger(folder_of(url)); }

std::optional<Receipt> inspect_receipt(const std::string& url, const std::string& path) {
  return inspect_sqlite_receipt(folder_of(url), path);
}

std::vector<bool> inspect_keys(const std::string& url, UserId owner,
                               std::span<const std::string> keys) {
  return inspect_sqlite_keys(folder_of(url), owner, keys);
}

}  // namespace haul

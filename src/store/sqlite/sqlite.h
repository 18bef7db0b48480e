#pragma once
// SQLite as a backend: what store/open.h asks of it.

#include "store/open.h"

namespace haul {

// Opens (or makes) DIR/haul.db and holds DIR/haul.lock until destroyed.
std::unique_ptr<Store> open_sqlite(const std::filesystem::path& folder, const StoreOptions& options,
                                   Time now);
// The same store in memory. Writes run on the calling thread.
std::unique_ptr<Store> open_sqlite_in_memory(const StoreOptions& options, Time now);
void backup_sqlite(const std::filesystem::path& folder, const std::filesystem::path& file);
Restored restore_sqlite(const std::filesystem::path& folder, const std::filesystem::path& file,
                        Time now);

// Checks the whole file if no process uses it, which takes about a second per gigabyte. Of a file
// in use it reads only the schema version and the newest event.
StoreLook inspect_sqlite(const std::filesystem::path& folder);
ShelfLook inspect_sqlite_shelves(const std::filesystem::path& folder);
LedgerLook inspect_sqlite_ledger(const std::filesystem::path& folder);
std::optional<Receipt> inspect_sqlite_receipt(const std::filesystem::path& folder,
                                              const std::string& path);
std::vector<bool> inspect_sqlite_keys(const std::filesystem::path& folder, UserId owner,
                                      std::span<const std::string> keys);

}  // namespace haul

#pragma once
// Opens, copies and inspects a store by its URL, whatever backend it has: "sqlite:FOLDER" or a
// plain folder, or "memory:" for tests and the simulator.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/receipt.h"
#include "store/committed.h"
#include "store/inspect.h"
#include "store/store.h"

namespace haul {

enum class CommitPhase : std::uint8_t { before, after };

// What becomes of the log when the store is closed. Folding writes every changed page once more. A
// log that is left stays beside the file, and later writes go on with it. A long one is folded.
enum class LogAtClose : std::uint8_t { fold, leave };

// For a store that SQLite keeps.
struct SqliteOptions {
  int checkpoint_pages = 12'000;  // A checkpoint runs once the log is this long.
  int room_pages = 256;           // Made at once ahead of the log (see LogRoom). 0: none.
  LogAtClose log_at_close = LogAtClose::fold;
};

struct StoreOptions {
  Millis queue_deadline{30'000};  // How long a call may wait for its turn to write.
  Millis read_deadline{30'000};   // How long a call may wait for a reader.
  std::size_t readers = 4;
  std::size_t queue_max = 10'000;                   // Waiting calls; one more is refused as busy.
  std::size_t group_rows = 4'000;                   // Rows per transaction, roughly.
  const Clock* clock = nullptr;                     // Times commits; may be null.
  std::function<void(const Committed&)> on_commit;  // Called on any thread; must not wait or throw.
  SqliteOptions sqlite{};
  // For tests: runs on the caller's thread before each write and after its commit. A test simulates
  // a crash by throwing from it: the caller gets the exception and cannot know whether the commit
  // happened.
  std::function<void(CommitPhase)> around_commit;
};

// The URL of the store in a data folder. A path that a user named is never a URL itself: a folder
// may be called "memory:" or "sqlite:x".
std::string store_url(const std::filesystem::path& data);

// Makes the store if there is none, and keeps other processes out until destroyed. Throws
// StoreFault::refused if another process has it (the message has its pid), if its schema is newer
// than this binary, or if this binary does not know the kind of URL.
std::unique_ptr<Store> open_store(const std::string& url, const StoreOptions& options, Time now);

// Copies one snapshot to a new file. Works while a daemon writes to the store.
void backup_store(const std::string& url, const std::filesystem::path& file);

// What a backup got from the store that it replaces, so that no blocked user gets in.
struct CarriedOver {
  std::size_t keys = 0;   // Revoked since the backup.
  std::size_t users = 0;  // Blocked or deleted since then.

  bool operator==(const CarriedOver&) const = default;
};

struct Restored {
  std::filesystem::path old;           // Where the replaced store went; empty: there was none.
  std::optional<CarriedOver> carried;  // Nothing: there was none, or it cannot be read.
};

// Puts a backup in place of the store, keeping the old one beside it; the store must be stopped.
// Sessions in the backup end.
Restored restore_store(const std::string& url, const std::filesystem::path& file, Time now);

// A look from outside: changes nothing, keeps no lock, works beside a daemon.
StoreLook inspect_store(const std::string& url);
ShelfLook inspect_shelves(const std::string& url);
LedgerLook inspect_ledger(const std::string& url);
// The newest receipt of a file that landed at this path. Throws StoreFault if the store cannot be
// read. Nothing if there is no receipt, or no store.
std::optional<Receipt> inspect_receipt(const std::string& url, const std::string& path);
// Whether a job has come with each of these caller's keys. Throws StoreFault if the store cannot be
// read. Without a store, none has.
std::vector<bool> inspect_keys(const std::string& url, UserId owner,
                               std::span<const std::string> keys);

}  // namespace haul

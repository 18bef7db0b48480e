#pragma once
// The interface to everything durable. tests/conformance pins its behaviour.

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "store/access.h"
#include "store/catalog.h"
#include "store/committed.h"
#include "store/events.h"
#include "store/identity.h"
#include "store/intents.h"
#include "store/items.h"
#include "store/jobs.h"
#include "store/ledger.h"
#include "store/limits.h"
#include "store/manifest.h"
#include "store/reader.h"
#include "store/users.h"
#include "store/workers.h"

namespace haul {

class Uptime;

class Store {
 public:
  virtual ~Store() = default;

  virtual Jobs& jobs() = 0;
  virtual Reader& reader() = 0;
  virtual Items& items() = 0;
  virtual Events& events() = 0;
  virtual Workers& workers() = 0;
  virtual Intents& intents() = 0;
  virtual Catalog& catalog() = 0;
  virtual Users& users() = 0;
  virtual Access& access() = 0;
  virtual Ledger& ledger() = 0;
  virtual Limits& limits() = 0;
  virtual Manifest& manifest() = 0;
  virtual Identity& identity() = 0;
  virtual Uptime& uptime() = 0;

  // Marks that no worker of this process can write, and so none can beat or give its leases back.
  // The mark outlives the process: the next one counts no attempt for the leases it finds. Setting
  // it needs no space on the disk.
  virtual void begin_outage() = 0;
  virtual void end_outage() = 0;
  virtual bool in_outage() const = 0;
};

enum class CommitPhase : std::uint8_t { before, after };

struct SqliteOptions {
  Millis queue_deadline{30'000};  // How long a call may wait for its turn to write.
  Millis read_deadline{30'000};   // How long a call may wait for a reader.
  std::size_t readers = 4;
  std::size_t queue_max = 10'000;  // Waiting calls; one more is refused as busy.
  std::size_t group_rows = 4'000;  // Rows per transaction, roughly.
  int checkpoint_pages = 12'000;   // A checkpoint runs once the log is this long.
  bool allow_network_file_system = false;
  std::function<void(CommitPhase)> around_commit;   // For a store in memory only; see below.
  const Clock* clock = nullptr;                     // Times commits; may be null.
  std::function<void(const Committed&)> on_commit;  // Called on any thread; must not wait or throw.
};

// Opens (or makes) DIR/haul.db and holds DIR/haul.lock until destroyed. Throws StoreFault::refused
// at once if another process holds the lock (the message has its pid), or if the schema is newer
// than this binary.
std::unique_ptr<Store> open_sqlite(const std::filesystem::path& folder,
                                   const SqliteOptions& options, Time now);

// The same store in memory, for tests and the simulator. Writes run on the calling thread.
// `around_commit` runs just before and just after every commit. A test simulates a crash by
// throwing from it: the caller gets the exception and cannot know whether the commit happened.
std::unique_ptr<Store> open_sqlite_in_memory(Time now,
                                             std::function<void(CommitPhase)> around_commit = {});

// Copies one snapshot of DIR/haul.db to a new file. Works while a daemon writes to it.
void backup_sqlite(const std::filesystem::path& folder, const std::filesystem::path& file);

// What a backup got from the database that it replaces, so that nobody comes in who was shut out.
struct CarriedOver {
  std::size_t keys = 0;   // Revoked since the backup.
  std::size_t users = 0;  // Blocked or deleted since then.

  bool operator==(const CarriedOver&) const = default;
};

struct Restored {
  std::filesystem::path old;           // Where the replaced database went; empty: there was none.
  std::optional<CarriedOver> carried;  // Nothing: there was none, or it cannot be read.
};

// Puts a backup in place of DIR/haul.db, keeping the old one beside it; the store must be stopped.
// Sessions in the backup end.
Restored restore_sqlite(const std::filesystem::path& folder, const std::filesystem::path& file,
                        Time now);

}  // namespace haul

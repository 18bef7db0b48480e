// Opens, copies and restores a store. The only file here that knows every part.

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "base/mutex.h"
#include "store/sqlite/barred.h"
#include "store/sqlite/copy.h"
#include "store/sqlite/job_numbers.h"
#include "store/sqlite/lock.h"
#include "store/sqlite/migrate.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"

namespace haul {
namespace {

using namespace sqlite;
namespace fs = std::filesystem;

constexpr const char* kTables = "SELECT count(*) FROM sqlite_schema";

// Up to this size, haul checks a file before use if it was not closed cleanly.
constexpr std::uintmax_t kLookOverMax = std::uintmax_t{256} << 20U;

class SqliteStore final : public Store {
 public:
  SqliteStore(std::unique_ptr<FolderLock> lock, std::unique_ptr<Connection> db,
              const fs::path& path, const StoreOptions& options, Threading threading)
      : lock_{std::move(lock)}, database_{std::move(db), path, options, threading} {}

  Jobs& jobs() override { return *jobs_; }
  Reader& reader() override { return *reader_; }
  Items& items() override { return *items_; }
  Events& events() override { return *events_; }
  Workers& workers() override { return *workers_; }
  Intents& intents() override { return *intents_; }
  Catalog& catalog() override { return *catalog_; }
  Users& users() override { return *users_; }
  Access& access() override { return *access_; }
  Ledger& ledger() override { return *ledger_; }
  Limits& limits() override { return *limits_; }
  Manifest& manifest() override { return *manifest_; }
  Purges& purges() override { return *purges_; }
  Deliveries& deliveries() override { return *deliveries_; }
  Identity& identity() override { return *identity_; }
  Uptime& uptime() override { return *uptime_; }
  Duties& duties() override { return *duties_; }
  Sealed& sealed() override { return *sealed_; }

  void begin_outage() override { set_outage(true); }
  void end_outage() override { set_outage(false); }
  bool in_outage() const override { return lock_ ? lock_->is_marked() : outage_in_memory_; }

  BotRows& bot() override { return *bot_; }

 private:
  void set_outage(bool on) {
    if (!lock_)
      outage_in_memory_ = on;
    else if (on)
      lock_->set_mark();
    else
      lock_->clear_mark();
  }

  bool outage_in_memory_ = false;
  std::unique_ptr<FolderLock> lock_;  // Released last.
  Database database_;
  std::unique_ptr<Jobs> jobs_ = make_jobs(database_);
  std::unique_ptr<Reader> reader_ = make_reader(database_);
  std::unique_ptr<Items> items_ = make_items(database_);
  std::unique_ptr<Events> events_ = make_events(database_);
  std::unique_ptr<Workers> workers_ = make_workers(database_);
  std::unique_ptr<Intents> intents_ = make_intents(database_);
  std::unique_ptr<Catalog> catalog_ = make_catalog(database_);
  std::unique_ptr<Users> users_ = make_users(database_);
  std::unique_ptr<BotRows> bot_ = make_bot_rows(database_);
  std::unique_ptr<Access> access_ = make_access(database_);
  std::unique_ptr<Ledger> ledger_ = make_ledger(database_);
  std::unique_ptr<Limits> limits_ = make_limits(database_);
  std::unique_ptr<Manifest> manifest_ = make_manifest(database_);
  std::unique_ptr<Purges> purges_ = make_purges(database_);
  std::unique_ptr<Deliveries> deliveries_ = make_deliveries(database_);
  std::unique_ptr<Identity> identity_ = make_identity(database_);
  std::unique_ptr<Uptime> uptime_ = make_uptime(database_);
  std::unique_ptr<Duties> duties_ = make_duties(database_);
  std::unique_ptr<Sealed> sealed_ = make_sealed(database_);
};

[[noreturn]] void refuse(const std::string& why) {
  throw StoreFault{StoreFault::Kind::refused, why};
}

fs::path database_file(const fs::path& folder) { return folder / "haul.db"; }

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    refuse(fmt::format("cannot use {} as a data folder: {}", folder.string(),
                       error ? error.message() : "it is not a folder"));
}

// Makes the file accessible to its owner only. Runs before SQLite opens it, because SQLite gives
// the log beside it the same mode. Leaves a file alone whose header is not haul's.
void keep_private(const fs::path& path) {
  constexpr std::size_t kApplicationIdAt = 68;
  std::array<char, kApplicationIdAt + 4> header{};
  std::ifstream file{path, std::ios::binary};
  file.read(header.data(), header.size());
  const bool ours =
      file.gcount() == 0 || std::string_view{header.data() + kApplicationIdAt, 4} == "haul";
  if (!ours) return;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0)
    refuse(
        fmt::format("cannot open {}: {}", path.string(), std::generic_category().message(errno)));
  ::fchmod(descriptor, 0600);
  ::close(descriptor);
}

void prepare(Connection& db, const fs::path& path, Time now) {
  migrate(db, all_migrations(), [&](int version) {
    fs::path copy = path;
    copy += fmt::format(".v{}.bak", version);
    // A backup that an unfinished upgrade left may be the last good copy: it stays until the new
    // one is complete and checked.
    copy_database(db, copy, Existing::replace);
  });
  sync_lifecycles(db);
  add_initial_rows(db, now);
}

// Creating the schema takes longer than most tests that need a store. So it is created once, and
// every store in memory begins as a copy.
void prepare_in_memory(Connection& db, Time now) {
  static Mutex mutex;
  const Lock lock{mutex};
  static Connection empty{":memory:", OpenFor::writing};
  migrate(empty, all_migrations(), [](int) {});
  sync_lifecycles(empty);
  copy_pages(empty, db);
  add_initial_rows(db, now);
}

// Checks the file before it replaces anything, and marks it as restored, so that the daemon does
// not act on the outside until an admin clears the mark.
void prepare_restored(const fs::path& part, Time now) {
  Connection db{part, OpenFor::writing};
  check_integrity(db);
  if (const std::string why = unfit(db, all_migrations()); !why.empty())
    refuse("cannot restore this file: " + why);
  if (db.number(kTables) == 0) refuse("cannot restore this file: it is empty");
  mark_restored(db, now);
  end_sessions(db);
}

// What a backup takes over from the database that it replaces. Nothing of what cannot be read.
struct Old {
  std::optional<Barred> barred;
  std::optional<std::int64_t> newest_job;
};

// Folds the log into the old file, so that the file alone is all of it, and reads it. A file too
// damaged for that keeps its log beside it.
Old settle_old(const fs::path& path) {
  Old old;
  try {
    Connection db{path, OpenFor::writing};
    configure_writer(db);
    old.barred = read_barred(db);
    old.newest_job = newest_job(db);
  } catch (const StoreFault&) {  // What was read until then counts.
  }
  return old;
}

std::optional<CarriedOver> carry_over_to(const fs::path& part, const Old& old) {
  Connection db{part, OpenFor::writing};
  keep_numbers_apart(db, old.newest_job);
  if (!old.barred) return std::nullopt;
  return carry_over(db, *old.barred);
}

// A name that nothing has yet.
fs::path free_name(const fs::path& folder, const std::string& name) {
  fs::path path = folder / name;
  for (int i = 2; fs::exists(fs::symlink_status(path)); ++i)
    path = folder / fmt::format("{}-{}", name, i);
  return path;
}

void exchange(const fs::path& a, const fs::path& b) {
  if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) != 0)
    refuse(fmt::format("cannot put {} in place: {}", a.string(),
                       std::generic_category().message(errno)));
}

void move_logs(const fs::path& from, const fs::path& to) {
  for (const char* suffix : {"-wal", "-shm"})
    if (const fs::path log = from.string() + suffix; fs::exists(log))
      fs::rename(log, to.string() + suffix);
}

// The new file takes the name of the old one before they change places: whatever stops us, the
// database that is replaced never has a name that the next restore would write over.
void swap_in(const fs::path& part, const fs::path& path, const fs::path& old) {
  fs::rename(part, old);
  move_logs(path, old);
  try {
    exchange(old, path);
  } catch (const StoreFault&) {
    move_logs(old, path);
    fs::remove(old);
    throw;
  }
}

}  // namespace

std::unique_ptr<Store> open_sqlite(const fs::path& folder, const StoreOptions& options, Time now) {
  make_folder(folder);
  if (is_network_file_system(folder))
    refuse(
        fmt::format("{} is on a network file system, where SQLite can lose data", folder.string()));
  auto lock = std::make_unique<FolderLock>(folder);
  const fs::path path = database_file(folder);
  keep_private(path);
  auto db = std::make_unique<Connection>(path, OpenFor::writing);
  // Before the first write: a file that is not haul's stays as it is, to the byte.
  if (const std::string why = unfit(*db, all_migrations()); !why.empty())
    refuse(fmt::format("cannot open {}: {}", path.string(), why));
  if (lock->was_abandoned() && fs::file_size(path) <= kLookOverMax) look_over(*db);
  configure_writer(*db);
  prepare(*db, path, now);
  return std::make_unique<SqliteStore>(std::move(lock), std::move(db), path, options,
                                       Threading::own_thread);
}

std::unique_ptr<Store> open_sqlite_in_memory(const StoreOptions& options, Time now) {
  auto db = std::make_unique<Connection>(":memory:", OpenFor::writing);
  prepare_in_memory(*db, now);
  configure_writer(*db);
  return std::make_unique<SqliteStore>(nullptr, std::move(db), fs::path{}, options,
                                       Threading::on_caller);
}

void backup_sqlite(const fs::path& folder, const fs::path& file) {
  const fs::path path = database_file(folder);
  if (!fs::exists(path)) refuse(fmt::format("there is no {}", path.string()));
  if (fs::exists(fs::symlink_status(file)))
    refuse(fmt::format("{} exists; a backup never replaces a file", file.string()));
  copy_database(*open_reader(path), file, Existing::refuse);
}

Restored restore_sqlite(const fs::path& folder, const fs::path& file, Time now) {
  if (fs::is_directory(file))
    refuse(fmt::format("{} is a folder; name the backup file in it", file.string()));
  if (!fs::is_regular_file(file)) refuse(fmt::format("there is no file {}", file.string()));
  make_folder(folder);
  const FolderLock lock{folder};
  const fs::path path = database_file(folder);
  const fs::path part = folder / "haul.db.restoring";
  Restored restored;
  try {
    fs::copy_file(file, part, fs::copy_options::overwrite_existing);
    fs::permissions(part, fs::perms::owner_read | fs::perms::owner_write);
    prepare_restored(part, now);
    if (!fs::exists(path)) {
      carry_over_to(part, {});
      fs::rename(part, path);
      flush_folder(folder);
      return restored;
    }
    restored.carried = carry_over_to(part, settle_old(path));
  } catch (...) {
    std::error_code ignored;
    fs::remove(part, ignored);
    throw;
  }
  const fs::path old = free_name(folder, "haul.db.before-restore-" + to_file_stamp(now));
  swap_in(part, path, old);
  flush_folder(folder);
  restored.old = old;
  return restored;
}

}  // namespace haul

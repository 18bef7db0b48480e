#include "store/sqlite/database.h"

#include "base/ensure.h"
#include "store/open.h"
#include "store/refusal.h"

namespace haul::sqlite {

// Under load a daemon's memory grows by its page caches: 8 MiB here, and 1 MiB for each reader.
// Pages that are not in them come from the system's page cache.
void configure_writer(Connection& db) {
  db.script(
      "PRAGMA journal_mode = WAL;"
      "PRAGMA synchronous = FULL;"
      "PRAGMA foreign_keys = OFF;"
      "PRAGMA temp_store = MEMORY;"
      "PRAGMA cache_size = -8192;");
}

std::unique_ptr<Connection> open_reader(const std::filesystem::path& path) {
  auto reader = std::make_unique<Connection>(path, OpenFor::reading);
  reader->script(
      "PRAGMA query_only = ON;"
      "PRAGMA temp_store = MEMORY;"
      "PRAGMA cache_size = -1024;");
  return reader;
}

Database::Database(std::unique_ptr<Connection> db, const std::filesystem::path& path,
                   const StoreOptions& options, Threading threading)
    : db_{std::move(db)},
      writer_{*db_, options, threading},
      path_{path},
      read_deadline_{options.read_deadline},
      has_readers_{threading == Threading::own_thread} {
  if (!has_readers_) return;
  ensure(options.readers > 0, "a store in a file has a reader");
  const Lock lock{mutex_};
  idle_.push_back(open_reader(path_));
  may_open_ = options.readers - 1;
}

void Database::read(const Work& work) {
  if (!has_readers_) return writer_.read(work);
  std::unique_ptr<Connection> reader = borrow();
  try {
    work(*reader);
  } catch (...) {
    give_back(std::move(reader));
    throw;
  }
  give_back(std::move(reader));
}

void Database::read_rows(std::size_t rows, const Work& work) {
  if (rows == 0) return;
  if (rows == 1) return read(work);
  read([&work](Connection& db) {
    const Snapshot snapshot{db};
    work(db);
  });
}

// The first reader is open from the start. Most processes never read on two threads at once, and
// each reader has to read the whole schema.
bool Database::may_open_another() {
  const Lock lock{mutex_};
  if (!idle_.empty() || may_open_ == 0) return false;
  --may_open_;
  return true;
}

// If another reader cannot be opened, as while there are no descriptors left, one that is open is
// waited for.
std::unique_ptr<Connection> Database::borrow() {
  if (may_open_another()) {
    try {
      return open_reader(path_);
    } catch (const StoreFault&) {
      const Lock lock{mutex_};
      ++may_open_;
    }
  }
  const Lock lock{mutex_};
  const bool free = returned_.wait_for(mutex_, read_deadline_,
                                       [this]() REQUIRES(mutex_) { return !idle_.empty(); });
  if (!free) throw StoreFault{StoreFault::Kind::busy, "all readers are busy"};
  std::unique_ptr<Connection> reader = std::move(idle_.back());
  idle_.pop_back();
  return reader;
}

void Database::give_back(std::unique_ptr<Connection> reader) {
  {
    const Lock lock{mutex_};
    idle_.push_back(std::move(reader));
  }
  returned_.notify_one();
}

}  // namespace haul::sqlite

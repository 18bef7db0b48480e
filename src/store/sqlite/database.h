#pragma once
// An open SQLite file: the writer, and a few query-only connections (readers).

#include <filesystem>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "store/open.h"
#include "store/sqlite/writer.h"

namespace haul::sqlite {

class Database {
 public:
  // `db` is open for writing and migrated. Readers open `path` again, when they are needed; a
  // database in memory has none.
  Database(std::unique_ptr<Connection> db, const std::filesystem::path& path,
           const StoreOptions& options, Threading threading);

  // See Writer::run.
  void write(std::size_t rows, const Work& work) { writer_.run(rows, work); }

  // Runs on a query-only connection; waits for a free one, at most the read deadline.
  void read(const Work& work);
  // The same for work that reads `rows` rows by key, one after the other. It reads more than one of
  // them in one snapshot, because taking a snapshot for each costs more than reading the row.
  void read_rows(std::size_t rows, const Work& work);

 private:
  bool may_open_another();
  std::unique_ptr<Connection> borrow();
  void give_back(std::unique_ptr<Connection> reader);

  std::unique_ptr<Connection> db_;
  Writer writer_;
  const std::filesystem::path path_;
  const Millis read_deadline_;
  const bool has_readers_;

  Mutex mutex_;
  std::size_t may_open_ GUARDED_BY(mutex_) = 0;  // So many readers more.
  std::vector<std::unique_ptr<Connection>> idle_ GUARDED_BY(mutex_);
  Condition returned_;
};

// Both apply the settings that haul's connections run with.
void configure_writer(Connection& db);
std::unique_ptr<Connection> open_reader(const std::filesystem::path& path);

}  // namespace haul::sqlite

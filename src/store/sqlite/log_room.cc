#include "store/sqlite/log_room.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ensure.h"

namespace haul::sqlite {
namespace {

constexpr const char* kPageSize = "PRAGMA page_size";

constexpr int kSmallCommit = 64;  // In pages, like the next.
constexpr int kShort = 64;

// The layout of a log is part of SQLite's file format.
constexpr std::int64_t kLogHead = 32;
constexpr std::int64_t kPageHead = 24;

std::int64_t bytes_of(int pages, std::int64_t page_size) {
  return kLogHead + pages * (kPageHead + page_size);
}

// In pieces, because one write of SQLite's takes at most 128 KiB.
int write_zeros(sqlite3_file& log, std::int64_t from, std::int64_t to) {
  const std::vector<char> zeros(std::size_t{64} << 10U);
  while (from < to) {
    const auto piece = static_cast<int>(std::min<std::int64_t>(to - from, std::ssize(zeros)));
    if (const int code = log.pMethods->xWrite(&log, zeros.data(), piece, from); code != SQLITE_OK)
      return code;
    from += piece;
  }
  return log.pMethods->xSync(&log, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
}

}  // namespace

LogRoom::LogRoom(Connection& db, const SqliteOptions& options) : db_{db}, options_{options} {
  ensure(options_.room_pages == 0 || options_.room_pages > kShort, "new room is not short");
}

void LogRoom::see(int log_pages) {
  if (log_pages == log_pages_) return;  // Nothing was written.
  committed_ = log_pages - log_pages_;  // Negative if the log began anew.
  log_pages_ = log_pages;
}

bool LogRoom::is_short() const {
  if (options_.room_pages == 0 || is_full_ || room_ >= options_.checkpoint_pages) return false;
  return committed_ != 0 && committed_ <= kSmallCommit && log_pages_ + kShort > room_;
}

// Holds the file's write lock, because another program could write where the zeros go.
void LogRoom::make() {
  const Transaction locked{db_};
  sqlite3_file* log = nullptr;
  sqlite3_file_control(db_.raw(), "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&log));
  ensure(log && log->pMethods, "a log that was written to is open");
  const std::int64_t page_size = db_.number(kPageSize);
  // A log that is long enough begins anew, in the room that it has.
  room_ = std::min(log_pages_ + options_.room_pages, options_.checkpoint_pages);

  sqlite3_int64 length = 0;
  int code = log->pMethods->xFileSize(log, &length);
  const std::int64_t wanted = bytes_of(room_, page_size);
  if (code == SQLITE_OK && length < wanted) code = write_zeros(*log, length, wanted);
  if (code == SQLITE_OK) return;
  is_full_ = true;  // Not tried again.
  if (db_.kind_of(code) == StoreFault::Kind::gone)
    throw StoreFault{StoreFault::Kind::gone, "the log could not be flushed"};
}

}  // namespace haul::sqlite

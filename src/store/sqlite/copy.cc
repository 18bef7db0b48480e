#include "store/sqlite/copy.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "store/refusal.h"

namespace haul::sqlite {
namespace {

constexpr const char* kCheck = "PRAGMA integrity_check(1)";
constexpr const char* kQuickCheck = "PRAGMA quick_check(1)";

// SQLite's own words for a file that it cannot read to the end name the statement, not the file.
std::string what_is_wrong(Connection& db, const StoreFault& fault) {
  if (sqlite3_errcode(db.raw()) == SQLITE_CORRUPT) return "the file is damaged or cut off";
  if (sqlite3_errcode(db.raw()) == SQLITE_NOTADB) return "the file is not a database";
  return fault.what();
}

void check(Connection& db, const char* pragma) {
  std::string found;
  try {
    Query row{db, pragma};
    found = row.step() ? std::string{row.text(0)} : "no answer";
  } catch (const StoreFault& fault) {
    throw StoreFault{fault.kind(), what_is_wrong(db, fault)};
  }
  if (found != "ok")
    throw StoreFault{StoreFault::Kind::gone, fmt::format("the file is damaged: {}", found)};
}

[[noreturn]] void refuse(const std::filesystem::path& path, int error) {
  throw StoreFault{
      error == ENOSPC || error == EDQUOT ? StoreFault::Kind::full : StoreFault::Kind::refused,
      fmt::format("cannot write {}: {}", path.string(), std::generic_category().message(error))};
}

[[noreturn]] void refuse_for_space(const std::filesystem::path& path) {
  throw StoreFault{StoreFault::Kind::full,
                   fmt::format("cannot write {}: no space left; free space there, or choose a file "
                               "on another disk",
                               path.string())};
}

void copy_to_file(Connection& from, const std::filesystem::path& to) {
  Connection target{to, OpenFor::writing};
  copy_pages(from, target);
  // Leaves WAL mode, so that one file is the whole copy; this also flushes it.
  target.script("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;");
  check_integrity(target);
}

void flush(const std::filesystem::path& path, int how) {
  const int descriptor = ::open(path.c_str(), how | O_CLOEXEC);
  if (descriptor < 0) refuse(path, errno);
  const int flushed = ::fsync(descriptor);
  const int error = errno;
  ::close(descriptor);
  if (flushed != 0) refuse(path, error);
}

}  // namespace

void copy_pages(Connection& from, Connection& to) {
  sqlite3_backup* backup = sqlite3_backup_init(to.raw(), "main", from.raw(), "main");
  if (!backup) to.fail("backup");
  const int stepped = sqlite3_backup_step(backup, -1);  // All pages at once: one snapshot.
  const int finished = sqlite3_backup_finish(backup);
  if (stepped != SQLITE_DONE || finished != SQLITE_OK) to.fail("backup");
}

void check_integrity(Connection& db) { check(db, kCheck); }

void look_over(Connection& db) { check(db, kQuickCheck); }

void flush_folder(const std::filesystem::path& folder) {
  flush(folder.empty() ? std::filesystem::path{"."} : folder, O_RDONLY | O_DIRECTORY);
}

void copy_database(Connection& from, const std::filesystem::path& to, Existing existing) {
  std::filesystem::path part = to;
  part += ".part";
  // Creates the file before SQLite opens it by name: exclusively, and readable by its owner only.
  ::unlink(part.c_str());
  const int descriptor = ::open(part.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0) refuse(part, errno);
  ::close(descriptor);
  try {
    copy_to_file(from, part);
    flush(part, O_RDONLY);
    const unsigned how = existing == Existing::replace ? 0U : unsigned{RENAME_NOREPLACE};
    if (::renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, to.c_str(), how) != 0) refuse(to, errno);
    flush_folder(to.parent_path());
  } catch (const StoreFault& fault) {
    ::unlink(part.c_str());
    // SQLite's own words name neither the file nor what to do.
    if (fault.kind() == StoreFault::Kind::full) refuse_for_space(to);
    throw;
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
}

}  // namespace haul::sqlite

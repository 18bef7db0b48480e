#include "store/sqlite/log_room.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <set>

#include "store/sqlite/database.h"
#include "support/store/table_file.h"

using namespace haul;
using namespace haul::sqlite;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kPage = 4'096 + 24;  // In the log, with its head.

// The lengths that the log has after each of so many commits of one row, which take a page each.
std::set<std::uintmax_t> lengths(const TableFile& disk, const SqliteOptions& options, int commits) {
  Database database{disk.make(), disk.path, {.sqlite = options}, Threading::own_thread};
  std::set<std::uintmax_t> found;
  for (int i = 1; i <= commits; ++i) {
    database.write(1, [i](Connection& db) { db.run(TableFile::kInsert, {i}); });
    // Room is made after a caller has its answer, and before the next command. The first of these
    // may be the one that it is made after.
    for (int more = 0; more < 2; ++more) database.write(0, [](Connection&) {});
    found.insert(fs::file_size(disk.log));
  }
  return found;
}

// While it lives, no file of this process becomes longer than this.
class FileLimit {
 public:
  explicit FileLimit(std::uintmax_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

LogRoom seen(Connection& db, std::initializer_list<int> lengths) {
  LogRoom room{db, {.checkpoint_pages = 1'000, .room_pages = 100}};
  for (const int length : lengths) room.see(length);
  return room;
}

}  // namespace

TEST_CASE("small commits go into room that the log has already, up to where it begins anew") {
  const TableFile disk;
  const auto found = lengths(disk, {.checkpoint_pages = 300, .room_pages = 100}, 250);
  CHECK(found.size() == 7);  // When less than 64 pages of it are left: every 37 commits.
  CHECK(*found.rbegin() == 32 + 300 * kPage);
}

TEST_CASE("without room the log becomes longer with every commit") {
  const TableFile disk;
  const auto found = lengths(disk, {.checkpoint_pages = 300, .room_pages = 0}, 250);
  CHECK(found.size() == 250);
}

TEST_CASE("room is made after a commit of 64 pages, and not after one of 65") {
  const TableFile disk;
  const auto db = disk.make();
  CHECK_FALSE(seen(*db, {}).is_short());
  CHECK(seen(*db, {1}).is_short());
  CHECK(seen(*db, {64}).is_short());
  CHECK_FALSE(seen(*db, {65}).is_short());
  CHECK(seen(*db, {65, 66}).is_short());
  CHECK(seen(*db, {1, 1}).is_short());  // The second wrote nothing.
}

TEST_CASE("room is short when less than 64 pages of it are left") {
  const TableFile disk;
  const auto db = disk.make();
  db->run(TableFile::kInsert, {1});
  LogRoom room = seen(*db, {1});
  room.make();  // 101 pages.
  CHECK(fs::file_size(disk.log) == 32 + 101 * kPage);
  room.see(37);
  CHECK_FALSE(room.is_short());
  room.see(38);
  CHECK(room.is_short());
}

TEST_CASE("F25: a full disk makes no room, and the log goes on without") {
  const TableFile disk;
  const auto db = disk.make();
  db->run(TableFile::kInsert, {1});
  LogRoom room = seen(*db, {1});
  {
    const FileLimit limit{fs::file_size(disk.log)};
    CHECK_NOTHROW(room.make());
  }
  CHECK_FALSE(room.is_short());
  db->run(TableFile::kInsert, {2});
  CHECK(db->number(TableFile::kCount) == 2);
}

TEST_CASE("no room is made while another program writes, and is made afterwards") {
  const TableFile disk;
  const auto db = disk.make();
  db->run(TableFile::kInsert, {1});
  db->script("PRAGMA busy_timeout = 0");
  LogRoom room = seen(*db, {1});
  const std::uintmax_t before = fs::file_size(disk.log);
  {
    const auto other = disk.open();
    const Transaction writing{*other};
    CHECK_THROWS_AS(room.make(), StoreFault);
    CHECK(fs::file_size(disk.log) == before);
    CHECK(room.is_short());
  }
  room.make();
  CHECK(fs::file_size(disk.log) > before);
}

TEST_CASE("promise 1: a log with room is read to its end after a crash") {
  const TableFile disk;
  const TableFile crashed;
  {
    Database database{disk.make(), disk.path, {}, Threading::own_thread};
    for (int i = 1; i <= 100; ++i)
      database.write(1, [i](Connection& db) { db.run(TableFile::kInsert, {i}); });
    REQUIRE(fs::file_size(disk.log) > 32 + 200 * kPage);
    fs::copy_file(disk.path, crashed.path);
    fs::copy_file(disk.log, crashed.log);
  }
  const auto db = crashed.open();
  CHECK(db->number(TableFile::kCount) == 100);
  CHECK(db->number(TableFile::kSum) == 5'050);
  db->run(TableFile::kInsert, {1});
  CHECK(crashed.open()->number(TableFile::kCount) == 101);
}

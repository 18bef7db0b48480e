#include "store/sqlite/db.h"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <cerrno>
#include <thread>

#include "support/io/temp_folder.h"
#include "support/run/moment.h"

using namespace haul;
using namespace haul::sqlite;

TEST_CASE("F25: no space, a reached quota and a reached file size are a full disk") {
  for (const int error : {ENOSPC, EDQUOT, EFBIG})
    for (const int code : {SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE, SQLITE_CANTOPEN}) {
      INFO("code " << code << ", errno " << error);
      CHECK(kind_of(code, error) == StoreFault::Kind::full);
    }
  CHECK(kind_of(SQLITE_FULL) == StoreFault::Kind::full);
}

TEST_CASE("F22: a failed flush is never a full disk, and neither is any other failed write") {
  for (const int code : {SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC, SQLITE_IOERR_READ})
    for (const int error : {ENOSPC, EDQUOT, EIO})
      CHECK(kind_of(code, error) == StoreFault::Kind::gone);
  CHECK(kind_of(SQLITE_IOERR_WRITE, EIO) == StoreFault::Kind::gone);
  CHECK(kind_of(SQLITE_IOERR_WRITE) == StoreFault::Kind::gone);
  CHECK(kind_of(SQLITE_CORRUPT, ENOSPC) == StoreFault::Kind::gone);
}

TEST_CASE("F25: a database that another process holds is busy, not gone") {
  CHECK(kind_of(SQLITE_BUSY) == StoreFault::Kind::busy);
  CHECK(kind_of(SQLITE_LOCKED) == StoreFault::Kind::busy);
}

TEST_CASE("F25: the first statement of a connection waits for the lock of another one") {
  const testing::TempFolder temp;
  Connection holder{temp / "a.db", OpenFor::writing};
  holder.script("CREATE TABLE t (x); BEGIN EXCLUSIVE;");
  std::thread release{[&] {
    testing::let_pass(std::chrono::milliseconds{50});
    holder.script("COMMIT");
  }};

  Connection late{temp / "a.db", OpenFor::reading};
  CHECK(late.number("SELECT count(*) FROM t") == 0);

  release.join();
}

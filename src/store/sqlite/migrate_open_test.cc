// What opening a store does with a file that is older, newer, or not haul's.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "store/sqlite/database.h"
#include "store/sqlite/migrate.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"
#include "support/io/temp_folder.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::sqlite;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr const char* kVersion = "PRAGMA user_version";

// How many migrations make the tables of jobs and all that a job's row needs: up to 0306_events.
constexpr std::size_t kWithJobs = 6;

// Makes a file as an older haul left it, with one job.
void make_old(const fs::path& file, std::size_t migrations) {
  Connection db{file, OpenFor::writing};
  configure_writer(db);
  migrate(db, all_migrations().first(migrations), [](int) {});
  sync_lifecycles(db);
  add_initial_rows(db, Bench::kStart);
  db.script(R"(
INSERT INTO jobs (lifecycle, state, "end", seq, fence, attempt, owner, lane, due_at, paused,
                  created_at, moved_at)
VALUES ('book', 'queued', 'open', 0, 0, 0, 1, 'book', 1, 0, 1, 1);
INSERT INTO requests (job, body)
VALUES (1, '{"book_id":"b1","media_type":"text"}');
INSERT INTO events (job, seq, n, type, at, to_state)
VALUES (1, 0, 1, 'ADDED', 1, 'queued');)");
}

std::string bytes(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::string refusal(const fs::path& folder) {
  try {
    open_sqlite(folder, {}, Bench::kStart);
  } catch (const StoreFault& fault) {
    CHECK(fault.kind() == StoreFault::Kind::refused);
    return fault.what();
  }
  return "it was allowed";
}

// Makes a database of another program: in SQLite's default mode, readable by all.
void make_foreign(const fs::path& file) {
  Connection{file, OpenFor::writing}.script(
      "CREATE TABLE notes (x); INSERT INTO notes VALUES (1);");
  fs::permissions(file, fs::perms{0644});
}

constexpr fs::perms kOwnerOnly = fs::perms::owner_read | fs::perms::owner_write;

}  // namespace

TEST_CASE(
    "F23: a store of every older version with jobs opens, they live on, a backup is beside it") {
  for (std::size_t count = kWithJobs; count < all_migrations().size(); ++count) {
    const int version = all_migrations()[count - 1].number;
    INFO("from version " << version);
    const TempFolder folder;
    make_old(folder / "haul.db", count);
    {
      Bench b{open_sqlite(folder.path(), {}, Bench::kStart)};
      CHECK(b.job({1}).version.state == "queued");
      CHECK(b.ask({1}, On::started));
      CHECK(b.trail({1}) == "queued > downloading");
    }

    const fs::path backup = folder / fmt::format("haul.db.v{}.bak", version);
    REQUIRE(fs::exists(backup));
    CHECK(fs::status(backup).permissions() == kOwnerOnly);
    Connection old{backup, OpenFor::reading};
    CHECK(old.number(kVersion) == version);
    CHECK(old.number("SELECT count(*) FROM jobs WHERE state = 'queued'") == 1);
    CHECK(!fs::exists(backup.string() + ".part"));
  }
}

TEST_CASE("F23: a new store makes no backup, and neither does opening it again") {
  const TempFolder folder;
  open_sqlite(folder.path(), {}, Bench::kStart);
  open_sqlite(folder.path(), {}, Bench::kStart);

  for (const auto& entry : fs::directory_iterator{folder.path()})
    CHECK_MESSAGE(entry.path().extension() != ".bak", entry.path().string());
}

TEST_CASE("F23: a backup left by an upgrade that did not finish is made anew") {
  const TempFolder folder;
  make_old(folder / "haul.db", kWithJobs);
  std::ofstream{folder / "haul.db.v306.bak"} << "half a file";

  open_sqlite(folder.path(), {}, Bench::kStart);

  Connection old{folder / "haul.db.v306.bak", OpenFor::reading};
  CHECK(old.number(kVersion) == 306);
}

TEST_CASE("F23: an upgrade that cannot make its backup leaves the last one as it was") {
  const TempFolder folder;
  make_old(folder / "haul.db", kWithJobs);
  std::ofstream{folder / "haul.db.v306.bak"} << "the last good copy";
  fs::create_directories(folder / "haul.db.v306.bak.part" / "in the way");

  CHECK_THROWS_AS(open_sqlite(folder.path(), {}, Bench::kStart), StoreFault);
  CHECK(bytes(folder / "haul.db.v306.bak") == "the last good copy");
  CHECK(Connection{folder / "haul.db", OpenFor::reading}.number(kVersion) == 306);

  fs::remove_all(folder / "haul.db.v306.bak.part");
  open_sqlite(folder.path(), {}, Bench::kStart);
  CHECK(Connection{folder / "haul.db.v306.bak", OpenFor::reading}.number(kVersion) == 306);
}

TEST_CASE("promise 24: a newer store is not opened, and not a byte of it changes") {
  const TempFolder folder;
  open_sqlite(folder.path(), {}, Bench::kStart);
  Connection{folder / "haul.db", OpenFor::writing}.script("PRAGMA user_version = 999");
  const std::string before = bytes(folder / "haul.db");

  const std::string why = refusal(folder.path());

  CHECK(why.find("newer haul (schema 999") != std::string::npos);
  CHECK(why.find(".bak") != std::string::npos);
  CHECK((bytes(folder / "haul.db") == before));
}

TEST_CASE("promise 24: another program's haul.db is not opened") {
  const TempFolder folder;
  make_foreign(folder / "haul.db");

  CHECK(refusal(folder.path()).find("not a haul database") != std::string::npos);
}

TEST_CASE("promise 24: not a byte and no permission of another program's haul.db changes") {
  const TempFolder folder;
  make_foreign(folder / "haul.db");
  const std::string before = bytes(folder / "haul.db");

  refusal(folder.path());

  CHECK((bytes(folder / "haul.db") == before));
  CHECK(fs::status(folder / "haul.db").permissions() == fs::perms{0644});
}

TEST_CASE("a store's file is for its owner only, also when it was not before") {
  const TempFolder folder;
  open_sqlite(folder.path(), {}, Bench::kStart);
  CHECK(fs::status(folder / "haul.db").permissions() == kOwnerOnly);
  fs::permissions(folder / "haul.db", fs::perms{0644});

  const auto store = open_sqlite(folder.path(), {}, Bench::kStart);

  for (const char* name : {"haul.db", "haul.db-wal", "haul.db-shm", "haul.lock"})
    CHECK_MESSAGE(fs::status(folder / name).permissions() == kOwnerOnly, std::string{name});
}

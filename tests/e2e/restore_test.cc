// `haul restore`: puts a backup in place, keeps what was there, and changes nothing when it refuses
// (Z-23, promises 23 and 24).

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "store/sqlite/migrate.h"
#include "support/invariants.h"
#include "support/stopped_store.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr Time kNow = Bench::kStart + 1h;
const std::string kKept = "haul.db.before-restore-20260202-034000";

// A store with one job in its backup, and two jobs now.
struct Backed {
  TempFolder elsewhere;
  fs::path backup = elsewhere / "backup.db";
  StoppedStore store{[](Bench& b) { b.add(kBook); }};

  Backed() {
    backup_sqlite(folder(), backup);
    Bench b{open_sqlite(folder(), {}, Bench::kStart)};
    b.add(kBook);
  }

  fs::path folder() const { return store.file().parent_path(); }
  // Everything in the data folder, by name; the lock file's pid comes and goes.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::directory_iterator{folder()})
      if (entry.path().filename() != "haul.lock")
        found[entry.path().filename().string()] = read_bytes(entry.path());
    return found;
  }
};

std::string refusal(const fs::path& folder, const fs::path& file) {
  try {
    restore_sqlite(folder, file, kNow);
  } catch (const std::exception& why) {
    return why.what();
  }
  return "it was allowed";
}

bool contains(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

std::string ask(const fs::path& file, const std::string& sql) { return Sql{file}.ask(sql); }

std::string jobs_in(const fs::path& file) { return ask(file, "SELECT count(*) FROM jobs"); }

// Refused with these words, and not a byte of the data folder changed.
void check_refused(const Backed& backed, const fs::path& file, const std::string& word) {
  const auto before = backed.files();

  const std::string why = refusal(backed.folder(), file);

  CHECK(why != "it was allowed");
  CHECK_MESSAGE(contains(why, word), why);
  CHECK_MESSAGE((backed.files() == before), "files changed after: " << why);
}

}  // namespace

TEST_CASE("Z-23: a backup is put in place, marked as restored, and the old file is kept whole") {
  const Backed backed;

  const fs::path old = restore_sqlite(backed.folder(), backed.backup, kNow);

  CHECK(old == backed.folder() / kKept);
  CHECK(jobs_in(old) == "2");
  CHECK(jobs_in(backed.store.file()) == "1");
  CHECK(ask(backed.store.file(), "SELECT value FROM meta WHERE name = 'restored_at'") ==
        "2026-02-02T03:40:00.000Z");
  CHECK(jobs_in(backed.backup) == "1");
  Bench b{open_sqlite(backed.folder(), {}, kNow)};
  CHECK(b.trail({1}) == "queued");
  CHECK(!b.reader().find({2}));
}

TEST_CASE("Z-23: a backup can be put where there is no store yet") {
  const Backed backed;
  const TempFolder fresh;

  CHECK(restore_sqlite(fresh / "data", backed.backup, kNow).empty());

  Bench b{open_sqlite(fresh / "data", {}, kNow)};
  CHECK(b.trail({1}) == "queued");
}

TEST_CASE("Z-23: the log of a killed store goes with the old file, never into the restored one") {
  const Backed backed;
  const TempFolder folder;
  {
    Child victim{{HAUL_VICTIM, folder.path().string(), "9"}};
    for (int i = 0; i < 40; ++i) REQUIRE(victim.line());
  }
  REQUIRE(fs::file_size(folder / "haul.db-wal") > 0);
  const std::string jobs = jobs_in(folder / "haul.db");

  const fs::path old = restore_sqlite(folder.path(), backed.backup, kNow);

  CHECK(jobs_in(old) == jobs);
  Sql restored{folder / "haul.db"};
  CHECK(restored.ask("SELECT count(*) FROM jobs") == "1");
  CHECK(broken_invariants(restored).empty());
}

TEST_CASE("promise 23: a store in use is not replaced, and the refusal names its owner") {
  const Backed backed;
  Child holder{{HAUL_VICTIM, backed.folder().string(), "hold"}};
  REQUIRE(holder.line() == "held");

  check_refused(backed, backed.backup, fmt::format("pid {}", holder.pid()));
}

TEST_CASE("promise 23: a store open in this very process is not replaced either") {
  const Backed backed;
  const auto store = open_sqlite(backed.folder(), {}, kNow);

  check_refused(backed, backed.backup, fmt::format("pid {}", ::getpid()));
}

TEST_CASE("promise 24: what is not a sound haul database is not put in place") {
  const Backed backed;
  const auto make = [&](const char* name, const std::string& bytes) {
    const fs::path file = backed.elsewhere / name;
    std::ofstream{file, std::ios::binary} << bytes;
    return file;
  };
  const std::string good = read_bytes(backed.backup);
  std::string flipped = good;
  for (std::size_t i = 3 * 4096 + 8; i < 3 * 4096 + 40; ++i) flipped[i] = '\x7f';

  check_refused(backed, backed.elsewhere / "missing.db", "there is no file");
  check_refused(backed, backed.elsewhere.path(), "is a folder; name the backup file");
  check_refused(backed, make("text", "Dear diary, today I made no backup.\n"), "not a database");
  check_refused(backed, make("half", good.substr(0, good.size() / 2)), "damaged or cut off");
  check_refused(backed, make("cut", good.substr(0, good.size() - 4096)), "");
  check_refused(backed, make("head", good.substr(0, 100)), "");
  check_refused(backed, make("flipped", flipped), "");
  check_refused(backed, make("empty", ""), "");
}

TEST_CASE("promise 24: another program's database and a newer haul's are not put in place") {
  const Backed backed;
  const auto make = [&](const char* name, const std::string& sql) {
    const fs::path file = backed.elsewhere / name;
    if (sql.starts_with("PRAGMA user_version")) fs::copy_file(backed.backup, file);
    REQUIRE(run_program({"sqlite3", file.string(), sql}).code == 0);
    return file;
  };

  check_refused(backed, make("other.db", "CREATE TABLE notes (x)"), "not a haul database");
  check_refused(backed, make("newer.db", "PRAGMA user_version = 99"), "newer haul (schema 99");
}

TEST_CASE("F23: a backup of an older version is put in place, and brought up when it is opened") {
  const Backed backed;
  const fs::path older = backed.elsewhere / "older.db";
  {
    sqlite::Connection db{older, sqlite::OpenFor::writing};
    sqlite::migrate(db, sqlite::all_migrations().first(2), [](int) {});
  }

  restore_sqlite(backed.folder(), older, kNow);

  Bench b{open_sqlite(backed.folder(), {}, kNow)};
  b.add(kBook);
  CHECK(jobs_in(backed.store.file()) == "1");
}

TEST_CASE("F25: a restore that runs out of room leaves the data folder as it was") {
  const Backed backed;
  const auto before = backed.files();

  const Finished finished =
      run_program({"sh", "-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "sh", HAUL_BINARY,
                   "restore", backed.backup.string(), "--data", backed.folder().string()});

  CHECK(finished.code == 1);
  CHECK((backed.files() == before));
}

TEST_CASE("Z-23: two restores within one second keep both old files") {
  const Backed backed;

  const fs::path first = restore_sqlite(backed.folder(), backed.backup, kNow);
  const fs::path second = restore_sqlite(backed.folder(), backed.backup, kNow);

  CHECK(first != second);
  CHECK(jobs_in(first) == "2");
}

TEST_CASE("a restored file is for its owner only, whatever the backup was") {
  const Backed backed;
  fs::permissions(backed.backup, fs::perms{0644});

  restore_sqlite(backed.folder(), backed.backup, kNow);

  CHECK(fs::status(backed.store.file()).permissions() == fs::perms{0600});
}

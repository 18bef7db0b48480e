// `haul restore`: puts a backup in place, keeps the old files, and changes nothing when it refuses
// (Z-23, promises 23 and 24).

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "base/secret.h"
#include "store/sqlite/migrate.h"
#include "store/sqlite/sqlite.h"
#include "support/store/invariants.h"
#include "support/store/stopped_store.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr Time kNow = Bench::kStart + 1h;
const std::string kKept = "haul.db.before-restore-20260202-034000";

// A store that has two jobs now, and a backup of it from when it had one.
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
  // The content of every file in the data folder, by name, except the lock file, whose pid changes.
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

// The names that files were moved to in a folder, in their order.
class NamesTaken {
 public:
  explicit NamesTaken(const fs::path& folder) : watch_{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)} {
    REQUIRE(::inotify_add_watch(watch_, folder.c_str(), IN_MOVED_TO) >= 0);
  }
  ~NamesTaken() { ::close(watch_); }
  NamesTaken(const NamesTaken&) = delete;
  NamesTaken& operator=(const NamesTaken&) = delete;

  std::vector<std::string> all() const {
    alignas(inotify_event) std::array<char, 16'384> buffer{};
    const ssize_t size = ::read(watch_, buffer.data(), buffer.size());
    std::vector<std::string> names;
    for (ssize_t at = 0; at < size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      names.emplace_back(event->name);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
    return names;
  }

 private:
  int watch_;
};

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

  const fs::path old = restore_sqlite(backed.folder(), backed.backup, kNow).old;

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

TEST_CASE("Z-23: the replaced file never has a name that another restore writes over") {
  const Backed backed;
  const NamesTaken names{backed.folder()};

  restore_sqlite(backed.folder(), backed.backup, kNow);

  const std::vector<std::string> taken = names.all();
  CHECK(std::ranges::count(taken, "haul.db") == 1);
  CHECK(std::ranges::count(taken, kKept) == 2);  // The new file's for a moment, then the old one's.
  CHECK(std::ranges::count(taken, "haul.db.restoring") == 0);
}

TEST_CASE("Z-23: what a restore that was cut off left is written over") {
  const Backed backed;
  std::ofstream{backed.folder() / "haul.db.restoring"} << "half a backup";

  const fs::path old = restore_sqlite(backed.folder(), backed.backup, kNow).old;

  CHECK(jobs_in(old) == "2");
  CHECK(jobs_in(backed.store.file()) == "1");
  CHECK_FALSE(fs::exists(backed.folder() / "haul.db.restoring"));
}

TEST_CASE("Z-23: a backup can be put where there is no store yet") {
  const Backed backed;
  const TempFolder fresh;

  CHECK(restore_sqlite(fresh / "data", backed.backup, kNow).old.empty());

  Bench b{open_sqlite(fresh / "data", {}, kNow)};
  CHECK(b.trail({1}) == "queued");
}

TEST_CASE("Z-31: a job that is added after a restore has a number that no job had before") {
  const Backed backed;
  const TempFolder fresh;
  restore_sqlite(backed.folder(), backed.backup, kNow);
  restore_sqlite(fresh / "data", backed.backup, kNow);

  Bench b{open_sqlite(backed.folder(), {}, kNow)};
  CHECK(b.add(kBook) == JobId{3});
  CHECK(b.add(kBook) == JobId{4});
  Bench far{open_sqlite(fresh / "data", {}, kNow)};
  CHECK(far.add(kBook) == JobId{100'002});
}

TEST_CASE("Z-31: the number of a job that two restores took away is not given again") {
  const Backed backed;
  restore_sqlite(backed.folder(), backed.backup, kNow);
  restore_sqlite(backed.folder(), backed.backup, kNow + 1s);

  Bench b{open_sqlite(backed.folder(), {}, kNow + 1s)};
  CHECK(b.add(kBook) == JobId{3});
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

  const fs::path old = restore_sqlite(folder.path(), backed.backup, kNow).old;

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
  check_refused(backed, make("newer.db", "PRAGMA user_version = 999"), "newer haul (schema 999");
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

  const fs::path first = restore_sqlite(backed.folder(), backed.backup, kNow).old;
  const fs::path second = restore_sqlite(backed.folder(), backed.backup, kNow).old;

  CHECK(first != second);
  CHECK(jobs_in(first) == "2");
}

namespace {

// A key of the admin, found again by its prefix.
ApiKeyId add_key(Store& store, const std::string& prefix) {
  return store.access()
      .keys()
      .add({.user = kAdmin,
            .name = "k",
            .scopes = {Scope::read},
            .prefix = prefix,
            .hash = hash_token(prefix)},
           kNow)
      .value()
      .id;
}

// A backup with keys "revoked1" and "living02", users ann and bob, and a session of ann. Since then
// the key was revoked, ann was blocked and bob was renamed.
struct ShutOut {
  TempFolder folder;
  fs::path data = folder / "data";
  fs::path backup = folder / "backup.db";

  ShutOut() {
    const auto store = open_sqlite(data, {}, kNow);
    const ApiKeyId revoked = add_key(*store, "revoked1");
    add_key(*store, "living02");
    const UserId ann = store->users().add("ann", Role::adder, kNow).value().id;
    const UserId bob = store->users().add("bob", Role::adder, kNow).value().id;
    REQUIRE(store->access().sessions().open({hash_token("1"), bob, kNow, kNow + 1h}));
    backup_sqlite(data, backup);
    REQUIRE(store->access().keys().revoke(revoked, kNow + 1s));
    REQUIRE(store->users().set(ann, UserStatus::blocked, Role::adder));
    REQUIRE(store->users().rename(bob, "rob"));
  }
};

std::string keys_and_users(Store& store) {
  std::string out;
  for (const char* prefix : {"revoked1", "living02"})
    if (store.access().keys().live(prefix, kNow + 2s)) out += std::string{prefix} + " ";
  for (const User& user : store.users().list({}, 10))
    if (user.status == UserStatus::active) out += user.name + " ";
  return out;
}

}  // namespace

TEST_CASE("a restore brings back no session, no revoked key and no blocked user") {
  const ShutOut shut;

  const Restored restored = restore_sqlite(shut.data, shut.backup, kNow + 2s);

  CHECK((restored.carried == CarriedOver{.keys = 1, .users = 1}));
  const auto store = open_sqlite(shut.data, {}, kNow + 2s);
  CHECK(keys_and_users(*store) == "living02 admin bob ");
  CHECK((store->access().keys().find({1})->revoked_at == kNow + 1s));
  CHECK_FALSE(store->access().sessions().find(hash_token("1"), kNow));
}

TEST_CASE("a restore to a folder without a store ends the sessions, and has nothing to take over") {
  const ShutOut shut;

  const Restored restored = restore_sqlite(shut.folder / "new", shut.backup, kNow);

  CHECK_FALSE(restored.carried);
  const auto store = open_sqlite(shut.folder / "new", {}, kNow);
  CHECK(keys_and_users(*store) == "revoked1 living02 admin ann bob ");
  CHECK_FALSE(store->access().sessions().find(hash_token("1"), kNow));
}

TEST_CASE("a restore over another store blocks no user who has a blocked one's number") {
  const ShutOut shut;
  const TempFolder other;
  {
    const auto store = open_sqlite(other.path(), {}, kNow);
    const UserId eve = store->users().add("eve", Role::adder, kNow).value().id;
    REQUIRE(store->users().set(eve, UserStatus::blocked, Role::adder));
  }

  const Restored restored = restore_sqlite(other.path(), shut.backup, kNow);

  CHECK((restored.carried == CarriedOver{}));
  CHECK(keys_and_users(*open_sqlite(other.path(), {}, kNow)) == "revoked1 living02 admin ann bob ");
}

TEST_CASE("a restore over a database that cannot be read says that it took nothing over") {
  const ShutOut shut;
  std::ofstream{shut.data / "haul.db", std::ios::binary} << std::string(8'192, 'x');

  const Finished done =
      run_program({HAUL_BINARY, "restore", shut.backup.string(), "--data", shut.data.string()});

  CHECK(done.code == 0);
  CHECK(contains(done.out, "The old database cannot be read: keys revoked and users blocked"));
}

TEST_CASE("haul restore says what it took over, in words and in JSON") {
  const ShutOut shut;
  const std::vector<std::string> words{HAUL_BINARY, "restore", shut.backup.string(), "--data",
                                       shut.data.string()};

  const Finished done = run_program(words);

  CHECK(done.code == 0);
  CHECK(contains(done.out, "Carried over from it: 1 revoked keys, 1 blocked or deleted users\n"));
  CHECK(contains(done.out, "All sessions have ended: log in again\n"));
  const Finished json = run_program(
      {HAUL_BINARY, "restore", shut.backup.string(), "--data", shut.data.string(), "--json"});
  CHECK(contains(json.out, R"("keys_revoked":1,"users_blocked":1)"));
}

TEST_CASE("a restored file is for its owner only, whatever the backup was") {
  const Backed backed;
  fs::permissions(backed.backup, fs::perms{0644});

  restore_sqlite(backed.folder(), backed.backup, kNow);

  CHECK(fs::status(backed.store.file()).permissions() == fs::perms{0600});
}

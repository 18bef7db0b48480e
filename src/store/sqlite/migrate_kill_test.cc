// F23: kill -9 at any statement of an upgrade leaves the old schema; after it, the new one.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "store/sqlite/copy.h"
#include "store/sqlite/database.h"
#include "store/sqlite/migrate.h"
#include "support/io/temp_folder.h"

using namespace haul;
using namespace haul::sqlite;
using haul::testing::TempFolder;

namespace {

constexpr const char* kVersion = "PRAGMA user_version";
constexpr const char* kSchema = R"(
SELECT group_concat(type || ' ' || name || ': ' || coalesce(sql, ''), char(10))
  FROM (SELECT * FROM sqlite_schema ORDER BY type, name))";
constexpr const char* kKeep = "INSERT INTO meta (name, value) VALUES ('kept', 'yes')";
constexpr const char* kKept = "SELECT count(*) FROM meta WHERE name = 'kept'";

std::vector<std::string> statements(std::string_view sql) {
  std::vector<std::string> found;
  std::string text;
  for (const char c : sql) {
    text += c;
    if (c != ';' || sqlite3_complete(text.c_str()) == 0) continue;
    found.push_back(text);
    text.clear();
  }
  return found;
}

void die(sqlite3_context*, int, sqlite3_value**) { ::kill(::getpid(), SIGKILL); }

// Upgrades in a child process, which a statement that calls die() kills. Returns the signal that
// ended the child, or zero.
int upgrade_elsewhere(const std::filesystem::path& file, const std::vector<Migration>& migrations) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      Connection db{file, OpenFor::writing};
      sqlite3_create_function(db.raw(), "die", 0, SQLITE_UTF8, nullptr, die, nullptr, nullptr);
      configure_writer(db);
      migrate(db, migrations, [](int) {});
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) REQUIRE(WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

// The old file has the tables of jobs and their events. The upgrade makes the others.
constexpr std::size_t kOldMigrations = 6;

void make_old(const std::filesystem::path& file, std::size_t version) {
  Connection db{file, OpenFor::writing};
  configure_writer(db);
  migrate(db, all_migrations().first(version), [](int) {});
  db.run(kKeep);
}

struct Found {
  std::int64_t version = 0;
  std::string schema;
  bool kept = false;

  bool operator==(const Found&) const = default;
};

Found look(const std::filesystem::path& file) {
  Connection db{file, OpenFor::writing};
  check_integrity(db);
  Query row{db, kSchema};
  REQUIRE(row.step());
  return {db.number(kVersion), row.string(0), db.number(kKept) == 1};
}

}  // namespace

TEST_CASE("promise 24: killed at any statement of an upgrade, the file is the old one, whole") {
  const TempFolder folder;
  const auto file = folder / "haul.db";
  make_old(file, kOldMigrations);
  const Found before = look(file);
  int kills = 0;

  for (std::size_t m = kOldMigrations; m < all_migrations().size(); ++m) {
    std::string begun;
    for (const std::string& statement : statements(all_migrations()[m].sql)) {
      begun += statement;
      const std::string deadly = begun + " SELECT die();";
      std::vector<Migration> migrations{all_migrations().begin(), all_migrations().end()};
      migrations[m].sql = deadly;

      REQUIRE(upgrade_elsewhere(file, migrations) == SIGKILL);

      REQUIRE(look(file) == before);
      ++kills;
    }
  }
  CHECK(kills > 30);

  CHECK(upgrade_elsewhere(file, {all_migrations().begin(), all_migrations().end()}) == 0);
  const Found after = look(file);
  CHECK(after.version == all_migrations().back().number);
  CHECK(after.schema != before.schema);
  CHECK(after.kept);
}

TEST_CASE("promise 24: killed while it makes its first schema, a file is empty, and is made next") {
  const TempFolder folder;
  const std::string deadly = std::string{all_migrations().back().sql} + " SELECT die();";
  std::vector<Migration> migrations{all_migrations().begin(), all_migrations().end()};
  migrations.back().sql = deadly;

  REQUIRE(upgrade_elsewhere(folder / "haul.db", migrations) == SIGKILL);
  CHECK(upgrade_elsewhere(folder / "haul.db", {all_migrations().begin(), all_migrations().end()}) ==
        0);

  CHECK(look(folder / "haul.db").version == all_migrations().back().number);
}

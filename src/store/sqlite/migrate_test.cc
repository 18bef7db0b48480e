#include "store/sqlite/migrate.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>
#include <vector>

#include "store/refusal.h"

using namespace haul;
using namespace haul::sqlite;

namespace {

constexpr const char* kVersion = "PRAGMA user_version";
constexpr const char* kApplication = "PRAGMA application_id";
constexpr const char* kSchema = R"(
SELECT coalesce(group_concat(type || ' ' || name || ': ' || coalesce(sql, ''), char(10)), '')
  FROM (SELECT * FROM sqlite_schema ORDER BY type, name))";
constexpr const char* kKept = "SELECT count(*) FROM meta WHERE name = 'kept' AND value = 'yes'";
constexpr const char* kKeep = "INSERT INTO meta (name, value) VALUES ('kept', 'yes')";

void no_backup(int) { FAIL("there was nothing to lose"); }

std::string schema(Connection& db) {
  Query row{db, kSchema};
  REQUIRE(row.step());
  return row.string(0);
}

// Everything that a migration may change, in one text.
std::string state(Connection& db) {
  return fmt::format("{} {} {}", db.number(kVersion), db.number(kApplication), schema(db));
}

std::vector<Migration> known() { return {all_migrations().begin(), all_migrations().end()}; }

// The real migrations, and some that a later haul might add.
std::vector<Migration> known_and(std::vector<std::string_view> later) {
  std::vector<Migration> all = known();
  for (const std::string_view sql : later) all.push_back({all.back().number + 1, "later", sql});
  return all;
}

std::string refusal(Connection& db, std::span<const Migration> migrations) {
  try {
    migrate(db, migrations, no_backup);
  } catch (const StoreFault& fault) {
    CHECK(fault.kind() == StoreFault::Kind::refused);
    return fault.what();
  }
  return "it was allowed";
}

}  // namespace

TEST_CASE("F23: the migrations are numbered from 301, without a gap") {
  int number = 300;
  for (const Migration& migration : all_migrations()) CHECK(migration.number == ++number);
  CHECK(number >= 318);
}

TEST_CASE("promise 24: a new file gets the newest schema, haul's mark, and no backup") {
  Connection db{":memory:", OpenFor::writing};

  migrate(db, all_migrations(), no_backup);

  CHECK(db.number(kVersion) == all_migrations().back().number);
  CHECK(db.number(kApplication) == 0x6861756c);
  CHECK(schema(db).find("table jobs: CREATE TABLE jobs") != std::string::npos);
  CHECK(schema(db).find("view contract_image_audit: ") != std::string::npos);
}

TEST_CASE("every table can be read where the schema is not trusted") {
  Connection db{":memory:", OpenFor::writing};
  migrate(db, all_migrations(), no_backup);
  std::vector<std::string> names;
  {
    Query rows{db, "SELECT name FROM sqlite_schema WHERE type = 'table'"};
    while (rows.step()) names.push_back(rows.string(0));
  }
  CHECK(names.size() > 20);

  db.script("PRAGMA trusted_schema = OFF");

  for (const std::string& name : names) CHECK_NOTHROW(db.script("SELECT * FROM " + name));
}

TEST_CASE("promise 24: a file with the newest schema is left alone") {
  Connection db{":memory:", OpenFor::writing};
  migrate(db, all_migrations(), no_backup);
  const std::string before = state(db);

  migrate(db, all_migrations(), no_backup);

  CHECK(state(db) == before);
}

TEST_CASE("F23: from every earlier version the newest is reached, rows kept, backup first") {
  Connection fresh{":memory:", OpenFor::writing};
  const std::vector<Migration> all =
      known_and({"CREATE TABLE later (x);", "ALTER TABLE meta ADD COLUMN more TEXT;"});
  migrate(fresh, all, no_backup);

  for (std::size_t version = 1; version < all.size(); ++version) {
    INFO("from version " << version);
    Connection db{":memory:", OpenFor::writing};
    migrate(db, std::span{all}.first(version), no_backup);
    db.run(kKeep);
    std::vector<int> backups;

    migrate(db, all, [&](int from) {
      backups.push_back(from);
      CHECK(db.number(kVersion) == from);
      CHECK(db.number(kKept) == 1);
    });

    CHECK(backups == std::vector{all[version - 1].number});
    CHECK(state(db) == state(fresh));
    CHECK(db.number(kKept) == 1);
  }
}

TEST_CASE(
    "F23: a file from before the first release is refused with the way out, and not touched") {
  for (const int version : {1, 120, 213, 300}) {
    Connection db{":memory:", OpenFor::writing};
    migrate(db, all_migrations(), no_backup);
    db.script(fmt::format("PRAGMA user_version = {}", version));
    const std::string before = state(db);

    const std::string why = refusal(db, all_migrations());

    CHECK(why.find(fmt::format("before the first release (schema {})", version)) !=
          std::string::npos);
    CHECK(why.find("an empty data folder") != std::string::npos);
    CHECK(state(db) == before);
  }
}

TEST_CASE("F23: a migration that fails leaves the old schema whole, and the next one works") {
  Connection db{":memory:", OpenFor::writing};
  migrate(db, all_migrations(), no_backup);
  db.run(kKeep);
  const std::string before = state(db);
  const auto failing = known_and({"CREATE TABLE later (x); DROP VIEW contract_books;",
                                  "UPDATE meta SET value = 'no'; INSERT INTO nowhere VALUES (1);"});
  int backups = 0;

  CHECK_THROWS_AS(migrate(db, failing, [&](int) { ++backups; }), StoreFault);
  CHECK(backups == 1);
  CHECK(state(db) == before);
  CHECK(db.number(kKept) == 1);

  migrate(db, known_and({"CREATE TABLE later (x);"}), [](int) {});
  CHECK(db.number(kVersion) == all_migrations().back().number + 1);
  CHECK(db.number(kKept) == 1);
}

TEST_CASE("F23: without its backup no migration begins") {
  Connection db{":memory:", OpenFor::writing};
  migrate(db, all_migrations(), no_backup);
  const std::string before = state(db);
  const auto later = known_and({"CREATE TABLE later (x);"});

  CHECK_THROWS_AS(
      migrate(db, later, [](int) { throw StoreFault{StoreFault::Kind::full, "no space left"}; }),
      StoreFault);

  CHECK(state(db) == before);
}

TEST_CASE("promise 24: a newer file is refused, saying which schema it has and the way back") {
  Connection db{":memory:", OpenFor::writing};
  migrate(db, known_and({"CREATE TABLE later (x);"}), no_backup);
  const std::string before = state(db);
  const int newest = all_migrations().back().number;

  const std::string why = refusal(db, all_migrations());

  CHECK(why.find("newer") != std::string::npos);
  CHECK(why.find(fmt::format("schema {}", newest + 1)) != std::string::npos);
  CHECK(why.find(fmt::format("haul.db.v{}.bak", newest)) != std::string::npos);
  CHECK(state(db) == before);
  CHECK(unfit(db, known_and({"CREATE TABLE later (x);"})).empty());
}

TEST_CASE("promise 24: a file of another program is refused, and not touched") {
  const char* others[] = {
      "CREATE TABLE notes (x); INSERT INTO notes VALUES (1);",
      "CREATE TABLE notes (x); PRAGMA user_version = 3;",
      "CREATE TABLE notes (x); PRAGMA application_id = 252006673; PRAGMA user_version = 99;",
      "CREATE VIEW notes AS SELECT 1;",
  };
  for (const char* other : others) {
    INFO(other);
    Connection db{":memory:", OpenFor::writing};
    db.script(other);
    const std::string before = state(db);

    CHECK(refusal(db, all_migrations()).find("not a haul database") != std::string::npos);
    CHECK(state(db) == before);
  }
}

TEST_CASE("the lifecycle tables in the file are those of this binary, also after an older one's") {
  constexpr const char* kMoves =
      "SELECT coalesce(group_concat(lifecycle || from_state || to_state), '') FROM (SELECT * FROM "
      "moves ORDER BY 1, 2, 3)";
  Connection db{":memory:", OpenFor::writing};
  migrate(db, all_migrations(), no_backup);
  sync_lifecycles(db);
  const auto moves = [&] {
    Query row{db, kMoves};
    row.step();
    return row.string(0);
  };
  const std::string wanted = moves();
  CHECK(wanted.find("bookqueueddownloading") != std::string::npos);

  db.script(
      "UPDATE meta SET value = 'older' WHERE name = 'lifecycles';"
      "DELETE FROM moves; INSERT INTO moves VALUES ('book', 'failed', 'queued', 'open', 0, 0);");
  sync_lifecycles(db);

  CHECK(moves() == wanted);
}

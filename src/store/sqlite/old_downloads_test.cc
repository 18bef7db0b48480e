#include "store/old_downloads.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <set>

#include "store/refusal.h"
#include "store/sqlite/db.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"
#include "support/io/temp_folder.h"
#include "support/store/stopped_store.h"

namespace haul {
namespace {

using testing::read_bytes;
using testing::TempFolder;

// What document 001 says of the table, and no more.
constexpr const char* kBare = R"(
CREATE TABLE downloads (
  id           INTEGER PRIMARY KEY,
  release_name TEXT,
  status       TEXT NOT NULL
               CHECK (status IN ('queued', 'downloading', 'completed', 'imported', 'failed')),
  added_at     TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
INSERT INTO downloads VALUES (3, 'A.Film-GRP', 'queued', '2026-01-19 10:00:00'),
                             (5, NULL, 'failed', 1768816800);)";

// With the tables beside it.
constexpr const char* kFull = R"(
CREATE TABLE content (id INTEGER PRIMARY KEY, type TEXT, title TEXT, year INTEGER);
CREATE TABLE episodes (id INTEGER PRIMARY KEY, content_id INTEGER, season INTEGER, episode INTEGER);
CREATE TABLE files (id INTEGER PRIMARY KEY, content_id INTEGER, episode_id INTEGER, path TEXT,
                    size_bytes INTEGER);
CREATE TABLE downloads (id INTEGER PRIMARY KEY, content_id INTEGER, episode_id INTEGER, client TEXT,
                        status TEXT, release_name TEXT, added_at TIMESTAMP, completed_at TIMESTAMP);
INSERT INTO content VALUES (1, 'movie', 'A Film', 2024), (2, 'series', 'A Show', NULL);
INSERT INTO episodes VALUES (20, 2, 1, 2);
INSERT INTO files VALUES (1, 1, NULL, '/m/film.mkv', 10), (2, 2, 20, '/s/e2.mkv', 20),
                         (3, 2, 21, '/s/e3.mkv', NULL);
INSERT INTO downloads VALUES (1, 1, NULL, 'sabnzbd', 'imported', 'F-GRP', 'a', 'b'),
                             (2, 2, 20, 'sabnzbd', 'imported', 'S-GRP', 'c', NULL),
                             (3, 2, NULL, 'sabnzbd', 'imported', 'P-GRP', 'd', NULL),
                             (4, 9, 99, 'sabnzbd', 'queued', 'G-GRP', 'e', NULL);)";

struct Old {
  TempFolder folder;
  std::filesystem::path file = folder / "old.db";

  explicit Old(const std::string& sql) {
    sqlite::Connection{file, sqlite::OpenFor::writing}.script(sql);
  }
  std::vector<OldDownload> all(std::size_t limit = 100) const {
    const auto old = open_old_downloads(file);
    std::vector<OldDownload> rows;
    for (auto page = old->next(limit); !page.empty(); page = old->next(limit))
      rows.insert(rows.end(), page.begin(), page.end());
    CHECK(rows.size() == old->count());
    return rows;
  }
};

// "a b": the names in a folder, in order.
std::string names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator{folder})
    names.insert(entry.path().filename().string());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

std::string refusal(const std::filesystem::path& file) {
  try {
    open_old_downloads(file);
  } catch (const StoreFault& fault) {
    CHECK(fault.kind() == StoreFault::Kind::refused);
    return fault.what();
  }
  return "it was allowed";
}

// "A Show movie 1x2 /s/e2.mkv:20"
std::string shown(const OldDownload& row) {
  std::string text = fmt::format("{} {} {}", row.title, row.kind, row.year.value_or(0));
  if (row.season) text += fmt::format(" {}x{}", *row.season, row.episode.value_or(-1));
  for (const OldFile& file : row.files)
    text += fmt::format(" {}:{}", file.path, file.size.value_or(-1));
  return text;
}

}  // namespace

TEST_CASE("Z-17: the document's own columns are enough, in pages of any size") {
  const Old old{kBare};
  for (const std::size_t limit : {1, 2, 3}) {
    const std::vector<OldDownload> rows = old.all(limit);
    REQUIRE(rows.size() == 2);
    CHECK((rows[0] == OldDownload{.id = "3",
                                  .status = "queued",
                                  .release_name = "A.Film-GRP",
                                  .added_at = "2026-01-19 10:00:00"}));
    CHECK((rows[1] == OldDownload{.id = "5", .status = "failed", .added_at = "1768816800"}));
  }
}

TEST_CASE("Z-17: titles, episodes and library files come from the tables beside it") {
  const std::vector<OldDownload> rows = Old{kFull}.all();
  REQUIRE(rows.size() == 4);
  CHECK(shown(rows[0]) == "A Film movie 2024 /m/film.mkv:10");
  CHECK(rows[0].completed_at == "b");
  CHECK(shown(rows[1]) == "A Show series 0 1x2 /s/e2.mkv:20");
  CHECK(shown(rows[2]) == "A Show series 0 /s/e2.mkv:20 /s/e3.mkv:-1");  // A pack.
  CHECK(shown(rows[3]) == "  0");                                        // What it names is gone.
}

TEST_CASE("Z-17: of a download with too many files, one more than the limit is read") {
  const Old old{
      fmt::format("{} WITH RECURSIVE n (i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < "
                  "{}) INSERT INTO "
                  "files SELECT i, 1, NULL, '/m/' || i, 1 FROM n;",
                  kFull, kOldFilesMax + 10)};
  CHECK(old.all()[0].files.size() == kOldFilesMax + 1);
}

TEST_CASE("Z-17: reading does not change the file") {
  const Old old{kFull};
  const std::string before = read_bytes(old.file);
  old.all();
  CHECK(read_bytes(old.file) == before);
}

TEST_CASE("Z-17: a file in WAL mode gets nothing beside it, and its log is read") {
  const Old old{std::string{"PRAGMA journal_mode = WAL;"} + kBare};
  CHECK(names_in(old.folder.path()) == "old.db");
  CHECK(old.all().size() == 2);
  CHECK(names_in(old.folder.path()) == "old.db");

  sqlite::Connection other{old.file, sqlite::OpenFor::writing};
  other.script("INSERT INTO downloads VALUES (7, 'B', 'queued', '2026-01-19');");
  CHECK(old.all().size() == 3);  // The other program runs.
  CHECK(names_in(old.folder.path()) == "old.db old.db-shm old.db-wal");

  const TempFolder crashed;
  for (const char* name : {"old.db", "old.db-wal"})
    std::filesystem::copy_file(old.folder / name, crashed / name);
  const std::string log = read_bytes(crashed / "old.db-wal");
  CHECK(open_old_downloads(crashed / "old.db")->next(100).size() == 3);
  CHECK(names_in(crashed.path()) == "old.db old.db-wal");
  CHECK(read_bytes(crashed / "old.db-wal") == log);
}

TEST_CASE("Z-17: a file that is not such a database is refused, with what is wrong") {
  const TempFolder folder;
  const auto is_refused = [&](const std::filesystem::path& file, const std::string& why) {
    CHECK(refusal(file) == fmt::format("cannot take over {}: {}", file.string(), why));
  };
  is_refused(folder.path(), "it is a folder; name the file in it");
  is_refused(folder / "none.db", "there is no such file");
  std::ofstream{folder / "text.db"} << std::string(5'000, 'x');
  is_refused(folder / "text.db", "the file is not a database");
  std::ofstream{folder / "empty.db"};
  is_refused(folder / "empty.db", "it has no table downloads");
  open_sqlite(folder.path(), {}, from_unix_ms(1'770'000'000'000));
  is_refused(folder / "haul.db", "it is a database of haul itself; use haul restore");

  const auto is_refused_as = [&](const std::string& sql, const std::string& why) {
    const Old old{sql};
    is_refused(old.file, why);
  };
  is_refused_as("CREATE VIEW downloads AS SELECT 1 AS id;", "it has no table downloads");
  is_refused_as("CREATE TABLE downloads (id, status, title);",
                "its table downloads has no column added_at");
  is_refused_as("CREATE TABLE downloads (id, status, added_at);",
                "its table downloads has neither a column release_name nor a column title");
  for (const char* sql :
       {"CREATE TABLE downloads (id, status, added_at, title, rowid);",
        "CREATE TABLE downloads (id INTEGER PRIMARY KEY, status, added_at, title) WITHOUT ROWID;"})
    is_refused_as(sql, "its table downloads has no row numbers of SQLite");
}

TEST_CASE("Z-17: a file that another program writes to is refused, with what to do") {
  const Old old{kBare};
  sqlite::Connection other{old.file, sqlite::OpenFor::writing};
  other.script("BEGIN EXCLUSIVE");
  CHECK(refusal(old.file).ends_with("another program uses it; stop that program first"));
  other.script("COMMIT");
  CHECK(old.all().size() == 2);
}

TEST_CASE("Z-17: a value larger than any real one ends the reading instead of filling the memory") {
  const Old old{std::string{kBare} +
                "INSERT INTO downloads VALUES (9, zeroblob(1048577), 'queued', '2026-01-19');"};
  const auto rows = open_old_downloads(old.file);
  CHECK_THROWS_WITH_AS(
      rows->next(100),
      fmt::format("cannot take over {}: haul cannot read the rows after 5: a value "
                  "is too large, or the file is damaged",
                  old.file.string())
          .c_str(),
      StoreFault);
}

}  // namespace haul

// Implements OldDownloads: the database of the older program is an SQLite file.

#include "store/old_downloads.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "store/refusal.h"
#include "store/sqlite/copy.h"
#include "store/sqlite/db.h"
#include "store/sqlite/migrate.h"

namespace haul {
namespace {

using namespace sqlite;

constexpr std::size_t kRowsMax = 1'000'000;
constexpr int kValueMax = 1 << 20;  // Bytes of one value.

constexpr const char* kIsTable = R"(
SELECT count(*)
  FROM sqlite_schema
 WHERE type = 'table' AND name = ?1 COLLATE NOCASE)";
constexpr const char* kHasColumn = R"(
SELECT count(*)
  FROM pragma_table_info(?1)
 WHERE name = ?2 COLLATE NOCASE)";
constexpr const char* kHasNoRowid = R"(
SELECT count(*)
  FROM pragma_table_list(?1)
 WHERE wr)";
constexpr const char* kCount = "SELECT count(*) FROM downloads";

// The columns of these tables differ from version to version, so haul looks for each by its name.
constexpr const char* kRows = R"(
SELECT rowid AS its_rowid, *
  FROM downloads
 WHERE rowid > ?1
 ORDER BY rowid
 LIMIT ?2)";
constexpr const char* kContent = "SELECT * FROM content WHERE id = ?1";
constexpr const char* kEpisode = "SELECT * FROM episodes WHERE id = ?1";
constexpr const char* kFilesOfContent = R"(
SELECT *
  FROM files
 WHERE content_id = ?1
 ORDER BY path
 LIMIT ?2)";
constexpr const char* kFilesOfEpisode = R"(
SELECT *
  FROM files
 WHERE content_id = ?1 AND episode_id = ?2
 ORDER BY path
 LIMIT ?3)";

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view why) {
  throw StoreFault{StoreFault::Kind::refused,
                   fmt::format("cannot take over {}: {}", printable(file.string()), why)};
}

bool has_column(Connection& db, const char* table, const char* column) {
  return db.number(kIsTable, {table}) == 1 && db.number(kHasColumn, {table, column}) > 0;
}

bool has_columns(Connection& db, const char* table, std::span<const char* const> columns) {
  for (const char* column : columns)
    if (!has_column(db, table, column)) return false;
  return true;
}

std::string text_in(const Query& row, const char* name) {
  const auto column = row.column(name);
  return column ? row.string(*column) : std::string{};
}

std::optional<std::int64_t> number_in(const Query& row, const char* name) {
  const auto column = row.column(name);
  return column ? row.maybe_integer(*column) : std::nullopt;
}

void check_schema(Connection& db, const std::filesystem::path& file) {
  if (db.number(kIsTable, {"downloads"}) == 0) refuse(file, "it has no table downloads");
  for (const char* column : {"id", "status", "added_at"})
    if (!has_column(db, "downloads", column))
      refuse(file, fmt::format("its table downloads has no column {}", column));
  if (!has_column(db, "downloads", "release_name") && !has_column(db, "downloads", "title"))
    refuse(file, "its table downloads has neither a column release_name nor a column title");
  // haul reads the rows in the order of SQLite's own number, and must know which was the last.
  if (has_column(db, "downloads", "rowid") || db.number(kHasNoRowid, {"downloads"}) > 0)
    refuse(file, "its table downloads has no row numbers of SQLite");
  if (const auto rows = static_cast<std::size_t>(db.number(kCount)); rows > kRowsMax)
    refuse(file, fmt::format("it has {} downloads; haul takes over at most {}", rows, kRowsMax));
}

// A folder of haul's own, which goes with this.
class CopyFolder {
 public:
  explicit CopyFolder(std::filesystem::path path) : path_{std::move(path)} {}
  ~CopyFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  CopyFolder(const CopyFolder&) = delete;
  CopyFolder& operator=(const CopyFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  const std::filesystem::path path_;
};

std::filesystem::path beside(const std::filesystem::path& file, const char* tail) {
  return file.string() + tail;
}

bool is_there(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored);
}

// Byte 18 of the file is 2 if its log is a file beside it.
bool has_log(const std::filesystem::path& file) {
  std::array<char, 19> head{};
  std::ifstream{file, std::ios::binary}.read(head.data(), head.size());
  return head.back() == 2;
}

// A reader of a file with a log makes "-wal" and "-shm" beside it, and leaves them there. So haul
// reads a copy, with the log if there is one. If both are there already, another program may use
// the file: haul makes nothing new, and needs the locks that SQLite keeps in them.
bool needs_copy(const std::filesystem::path& file) {
  return has_log(file) && !(is_there(beside(file, "-wal")) && is_there(beside(file, "-shm")));
}

std::unique_ptr<CopyFolder> copy_of(const std::filesystem::path& file) {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "haul-import-XXXXXX").string();
  if (error || ::mkdtemp(name.data()) == nullptr)
    refuse(file, "haul cannot make a folder for a copy of it; set TMPDIR to a writable folder");
  auto folder = std::make_unique<CopyFolder>(name);
  for (const char* tail : {"", "-wal"}) {
    const std::filesystem::path from = beside(file, tail);
    if (!is_there(from)) continue;
    if (!std::filesystem::copy_file(from, folder->path() / from.filename(), error) || error)
      refuse(file, fmt::format("haul cannot copy it to {}: {}; set TMPDIR to a folder with room",
                               printable(name), error.message()));
  }
  return folder;
}

class SqliteOldDownloads final : public OldDownloads {
 public:
  SqliteOldDownloads(std::unique_ptr<CopyFolder> copy, std::unique_ptr<Connection> db,
                     std::filesystem::path file)
      : file_{std::move(file)}, copy_{std::move(copy)}, db_{std::move(db)}, snapshot_{*db_} {
    constexpr const char* kContentColumns[] = {"id", "title"};
    constexpr const char* kEpisodeColumns[] = {"id", "season", "episode"};
    constexpr const char* kFileColumns[] = {"content_id", "episode_id", "path"};
    has_content_ = has_columns(*db_, "content", kContentColumns);
    has_episodes_ = has_columns(*db_, "episodes", kEpisodeColumns);
    has_files_ = has_columns(*db_, "files", kFileColumns);
  }

  std::size_t count() override { return static_cast<std::size_t>(db_->number(kCount)); }

  std::vector<OldDownload> next(std::size_t limit) override {
    std::vector<OldDownload> page;
    try {
      Query row{*db_, kRows, {last_, limit}};
      while (row.step()) {
        last_ = row.integer(0);
        page.push_back(read(row));
      }
    } catch (const StoreFault&) {
      refuse(file_, fmt::format("haul cannot read the rows after {}: a value is too large, or the "
                                "file is damaged",
                                last_));
    }
    return page;
  }

 private:
  OldDownload read(const Query& row) {
    OldDownload old{.id = text_in(row, "id"),
                    .status = text_in(row, "status"),
                    .title = text_in(row, "title"),
                    .release_name = text_in(row, "release_name"),
                    .kind = {},
                    .added_at = text_in(row, "added_at"),
                    .completed_at = text_in(row, "completed_at"),
                    .last_transition_at = text_in(row, "last_transition_at")};
    const auto content = number_in(row, "content_id");
    const auto episode = number_in(row, "episode_id");
    if (content && has_content_) read_content(*content, old);
    if (episode && has_episodes_) read_episode(*episode, old);
    if (content && has_files_) read_files(*content, episode, old);
    return old;
  }

  void read_content(std::int64_t content, OldDownload& old) {
    Query row{*db_, kContent, {content}};
    if (!row.step()) return;
    if (old.title.empty()) old.title = text_in(row, "title");
    old.kind = text_in(row, "type");
    old.year = number_in(row, "year");
  }

  void read_episode(std::int64_t episode, OldDownload& old) {
    Query row{*db_, kEpisode, {episode}};
    if (!row.step()) return;
    old.season = number_in(row, "season");
    old.episode = number_in(row, "episode");
  }

  // A download without an episode is a film, or a pack of a series: its files are all of them.
  void read_files(std::int64_t content, std::optional<std::int64_t> episode, OldDownload& old) {
    constexpr std::size_t kMost = kOldFilesMax + 1;
    if (episode) {
      Query rows{*db_, kFilesOfEpisode, {content, *episode, kMost}};
      return take_files(rows, old);
    }
    Query rows{*db_, kFilesOfContent, {content, kMost}};
    take_files(rows, old);
  }

  static void take_files(Query& rows, OldDownload& old) {
    while (rows.step())
      old.files.push_back({.path = text_in(rows, "path"), .size = number_in(rows, "size_bytes")});
  }

  const std::filesystem::path file_;
  std::unique_ptr<CopyFolder> copy_;  // If it reads a copy.
  std::unique_ptr<Connection> db_;
  Snapshot snapshot_;
  std::int64_t last_ = std::numeric_limits<std::int64_t>::min();
  bool has_content_ = false;
  bool has_episodes_ = false;
  bool has_files_ = false;
};

// Views and triggers of another program's file may call no function that is not harmless.
std::unique_ptr<Connection> open_checked(const std::filesystem::path& file,
                                         const CopyFolder* copy) {
  auto db =
      std::make_unique<Connection>(copy ? copy->path() / file.filename() : file, OpenFor::reading);
  db->script("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;");
  look_over(*db);
  if (is_haul_file(*db)) refuse(file, "it is a database of haul itself; use haul restore");
  check_schema(*db, file);
  sqlite3_limit(db->raw(), SQLITE_LIMIT_LENGTH, kValueMax);
  return db;
}

}  // namespace

std::unique_ptr<OldDownloads> open_old_downloads(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file)) refuse(file, "it is a folder; name the file in it");
  if (!std::filesystem::is_regular_file(file)) refuse(file, "there is no such file");
  try {
    auto copy = needs_copy(file) ? copy_of(file) : nullptr;
    auto db = open_checked(file, copy.get());
    return std::make_unique<SqliteOldDownloads>(std::move(copy), std::move(db), file);
  } catch (const StoreFault& fault) {
    if (fault.kind() == StoreFault::Kind::refused) throw;
    if (fault.kind() == StoreFault::Kind::busy)
      refuse(file, "another program uses it; stop that program first");
    refuse(file, fault.what());
  }
}

}  // namespace haul

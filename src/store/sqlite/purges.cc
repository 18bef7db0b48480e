// Implements Purges on SQLite.

#include "store/purges.h"

#include <algorithm>

#include "base/json.h"
#include "store/reader.h"
#include "store/rules/purge.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/purge.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kFind = R"(
SELECT job, after_item, removed, bytes, gone, kept, reasons, detail, asked_at, ended_at
  FROM purges
 WHERE job = ?1)";

// Rides purges_open.
constexpr const char* kOpen = R"(
SELECT job, after_item, removed, bytes, gone, kept, reasons, detail, asked_at, ended_at
  FROM purges
 WHERE ended_at IS NULL AND job > ?1
 ORDER BY job
 LIMIT ?2)";

constexpr const char* kAsk = R"(
INSERT OR ROLLBACK INTO purges (job, asked_at)
SELECT ?1, ?2
 WHERE NOT EXISTS (SELECT 1 FROM purges WHERE job = ?1))";

constexpr const char* kAskAgain = R"(
UPDATE purges
   SET after_item = 0, removed = 0, bytes = 0, gone = 0, kept = 0, reasons = '[]', detail = NULL,
       asked_at = ?2, ended_at = NULL
 WHERE job = ?1)";

constexpr const char* kRecord = R"(
UPDATE purges
   SET after_item = ?3, removed = ?4, bytes = ?5, gone = ?6, kept = ?7, reasons = ?8, detail = ?9,
       ended_at = ?10
 WHERE job = ?1 AND after_item = ?2 AND asked_at = ?11 AND ended_at IS NULL)";

// Rides items_receipts. As in Items::past(), the keys "address" and "address #2" are of one
// address.
constexpr const char* kOwner = R"(
SELECT i.job
  FROM items i CROSS JOIN jobs j
 WHERE i.key >= ?2 AND i.key < ?2 || '!' AND i.evidence IS NOT NULL AND i.path = ?3
   AND i.job <> ?1 AND j.id = i.job AND j.hidden_at IS NULL
 LIMIT 1)";

// Rides files_by_inode. Numbers of files are compared without their disk: if two disks have a file
// with this number and size, the file is kept.
constexpr const char* kLister = R"(
SELECT f.job
  FROM files f INDEXED BY files_by_inode CROSS JOIN jobs j
 WHERE f.inode = ?2 AND f.size = ?3 AND f.gone_at IS NULL
   AND f.job <> ?1 AND j.id = f.job AND j.hidden_at IS NULL
 LIMIT 1)";

// Rides jobs_leased, which has the jobs that workers have now, and the key of the item.
constexpr const char* kTaker = R"(
SELECT j.id
  FROM jobs j INDEXED BY jobs_leased CROSS JOIN lifecycles l CROSS JOIN items i CROSS JOIN states s
 WHERE j.worker IS NOT NULL AND j.id <> ?1
   AND l.name = j.lifecycle AND l.items IS NOT NULL
   AND i.job = j.id AND i.key >= ?2 AND i.key < ?2 || '!'
   AND s.lifecycle = l.items AND s.name = i.state AND s."end" = 'open'
 LIMIT 1)";

// Rides items_receipts.
constexpr const char* kLandings = R"(
SELECT checkpoint, updated_at
  FROM items
 WHERE key >= ?2 AND key < ?2 || '!' AND evidence IS NOT NULL AND path = ?3 AND job <> ?1
   AND checkpoint IS NOT NULL
 ORDER BY id DESC
 LIMIT ?4)";

Purge read_purge(const Query& row) {
  Purge purge;
  row.id(0, purge.job);
  purge.after = row.integer(1);
  purge.removed = row.integer(2);
  purge.bytes = row.integer(3);
  purge.gone = row.integer(4);
  purge.kept = row.integer(5);
  purge.reasons = read_array(row.string(6)).value_or(std::vector<std::string>{});
  purge.detail = row.string(7);
  purge.asked_at = row.time(8);
  purge.ended_at = row.maybe_time(9);
  return purge;
}

std::optional<Purge> find_purge(Connection& db, JobId job) {
  Query row{db, kFind, {job}};
  if (!row.step()) return std::nullopt;
  return read_purge(row);
}

std::string address_of(const std::string& key) { return key.substr(0, key.find(' ')); }

std::string json_of(const std::vector<std::string>& texts) {
  std::string json;
  for (const std::string& text : texts) json += (json.empty() ? "" : ",") + json_quoted(text);
  return "[" + json + "]";
}

class SqlitePurges final : public Purges {
 public:
  explicit SqlitePurges(Database& database) : database_{database} {}

  std::optional<Purge> find(JobId job) override {
    std::optional<Purge> found;
    database_.read([&](Connection& db) { found = find_purge(db, job); });
    return found;
  }

  std::vector<Purge> open(JobId after, std::size_t limit) override {
    std::vector<Purge> purges;
    database_.read([&](Connection& db) {
      Query rows{db, kOpen, {after, std::min(limit, kListMax)}};
      while (rows.step()) purges.push_back(read_purge(rows));
    });
    return purges;
  }

  FileNeeds needs(JobId job, const PurgeFile& file) override {
    FileNeeds needs;
    const std::string address = address_of(file.key);
    database_.read([&](Connection& db) {
      needs.owner = JobId{db.number(kOwner, {job, address, file.path})};
      if (!needs.owner) needs.owner = JobId{db.number(kLister, {job, file.inode, file.size})};
      needs.taker = JobId{db.number(kTaker, {job, address})};
    });
    return needs;
  }

  std::vector<LandedItem> landings(JobId job, const PurgeFile& file, std::size_t limit) override {
    std::vector<LandedItem> landings;
    const std::string address = address_of(file.key);
    database_.read([&](Connection& db) {
      Query rows{db, kLandings, {job, address, file.path, std::min(limit, kListMax)}};
      while (rows.step()) landings.push_back({rows.string(0), rows.time(1)});
    });
    return landings;
  }

  bool record(const Purge& before, const Purge& after, Time now) override {
    bool is_first = false;
    const std::string reasons = json_of(after.reasons);
    database_.write(1, [&](Connection& db) {
      is_first = db.run(kRecord, {before.job, before.after, after.after, after.removed, after.bytes,
                                  after.gone, after.kept, reasons, or_null(after.detail),
                                  after.ended_at, before.asked_at}) == 1;
      if (!is_first || !after.ended_at) return;
      const Note note = rules::purged_note(after);
      write_note(db, after.job, note.type, note.data, now);
    });
    return is_first;
  }

 private:
  Database& database_;
};

}  // namespace

void ask_purge(Connection& db, JobId job, Time now) {
  if (!rules::begins_purge(find_purge(db, job))) return;
  db.run(kAsk, {job, now});
  db.run(kAskAgain, {job, now});
  const Note note = rules::purge_asked_note();
  write_note(db, job, note.type, note.data, now);
}

std::unique_ptr<Purges> make_purges(Database& database) {
  return std::make_unique<SqlitePurges>(database);
}

}  // namespace haul::sqlite

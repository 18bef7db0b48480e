// Implements BotCatalogue on SQLite.

#include <algorithm>

#include "base/ensure.h"
#include "store/bot.h"
#include "store/reader.h"
#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr const char* kSeeEntry = R"(
INSERT INTO bot_entries (parent, path, name, folded, is_folder, size, round)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (path) DO UPDATE
   SET parent = excluded.parent, name = excluded.name, folded = excluded.folded,
       is_folder = excluded.is_folder, size = excluded.size, round = excluded.round, gone_at = NULL
RETURNING id)";

constexpr const char* kBeginRound = "INSERT INTO bot_rounds (root) VALUES (?1)";
constexpr const char* kNextRound = "SELECT coalesce(max(id), 0) + 1 FROM bot_rounds";
constexpr const char* kForgetRounds = "DELETE FROM bot_rounds WHERE id < ?1 - 10";
constexpr const char* kIsOpenRound =
    "SELECT count(*) FROM bot_rounds WHERE id = ?1 AND finished_at IS NULL";
constexpr const char* kFinishRound = "UPDATE bot_rounds SET finished_at = ?2 WHERE id = ?1";

// Reads all entries: a round is rare.
constexpr const char* kLoseUnseen = R"(
UPDATE bot_entries
   SET gone_at = ?2
 WHERE round < ?1 AND gone_at IS NULL)";

// ?1 is the root with a slash at its end.
constexpr const char* kLoseOutside = R"(
UPDATE bot_entries
   SET gone_at = ?3
 WHERE gone_at IS NULL AND id <> ?2 AND substr(path, 1, length(?1)) <> ?1)";

constexpr const char* kRoot = "SELECT root FROM bot_rounds ORDER BY id DESC LIMIT 1";

constexpr const char* kFindEntry = R"(
SELECT id, parent, path, name, is_folder, size, gone_at
  FROM bot_entries
 WHERE id = ?1)";

constexpr const char* kCountChildren =
    "SELECT count(*) FROM bot_entries WHERE parent = ?1 AND gone_at IS NULL";

// Uses bot_entries_by_parent.
constexpr const char* kChildren = R"(
SELECT id, parent, path, name, is_folder, size, gone_at
  FROM bot_entries
 WHERE parent = ?1 AND gone_at IS NULL
 ORDER BY is_folder DESC, folded, id
 LIMIT ?3 OFFSET ?2)";

constexpr const char* kCountFound = R"(
SELECT count(*)
  FROM bot_entries
 WHERE gone_at IS NULL AND is_folder = 0 AND instr(folded, ?1) > 0)";

// Reads all entries: a text in the middle of a name has no index.
constexpr const char* kFound = R"(
SELECT id, parent, path, name, is_folder, size, gone_at
  FROM bot_entries
 WHERE gone_at IS NULL AND is_folder = 0 AND instr(folded, ?1) > 0
 ORDER BY folded, id
 LIMIT ?3 OFFSET ?2)";

BotEntry read_entry(const Query& row) {
  BotEntry entry{.path = row.string(2),
                 .name = row.string(3),
                 .is_folder = row.flag(4),
                 .size = row.integer(5),
                 .is_gone = !row.is_null(6)};
  row.id(0, entry.id);
  row.id(1, entry.parent);
  return entry;
}

EntryId see_one(Connection& db, const ListedEntry& entry, EntryId parent, std::int64_t round) {
  Query row{
      db,
      kSeeEntry,
      {or_null(parent), entry.path, entry.name, entry.folded, entry.is_folder, entry.size, round}};
  ensure(row.step(), "an entry that was written has an id");
  EntryId id;
  row.id(0, id);
  return id;
}

class SqliteBotCatalogue final : public BotCatalogue {
 public:
  explicit SqliteBotCatalogue(Database& database) : database_{database} {}

  std::int64_t begin(const ListedEntry& root, Time now) override {
    std::int64_t round = 0;
    const std::string inside = root.path + (root.path.ends_with('/') ? "" : "/");
    database_.write(1, [&](Connection& db) {
      round = db.number(kNextRound);
      const std::int64_t before = db.number(kRoot);
      const EntryId id = see_one(db, root, {}, round);
      if (id.value != before) db.run(kLoseOutside, {inside, id, now});
      db.run(kBeginRound, {id});
      db.run(kForgetRounds, {round});
    });
    return round;
  }

  std::vector<EntryId> see(std::int64_t round, EntryId parent,
                           std::span<const ListedEntry> entries) override {
    check_size(entries.size());
    std::vector<EntryId> ids;
    database_.write(entries.size(), [&](Connection& db) {
      ids.clear();
      for (const ListedEntry& entry : entries) ids.push_back(see_one(db, entry, parent, round));
    });
    return ids;
  }

  std::size_t finish(std::int64_t round, Time now) override {
    std::size_t lost = 0;
    database_.write(1, [&](Connection& db) {
      lost = 0;
      if (db.number(kIsOpenRound, {round}) == 0) return;
      lost = static_cast<std::size_t>(db.run(kLoseUnseen, {round, now}));
      db.run(kFinishRound, {round, now});
    });
    return lost;
  }

  EntryId root() override {
    EntryId root;
    database_.read([&](Connection& db) { root.value = db.number(kRoot); });
    return root;
  }

  std::optional<BotEntry> find(EntryId id) override {
    std::optional<BotEntry> found;
    database_.read([&](Connection& db) {
      Query row{db, kFindEntry, {id}};
      if (row.step()) found = read_entry(row);
    });
    return found;
  }

  EntryPage children(EntryId parent, const PageRange& range) override {
    return page(kCountChildren, kChildren, Value{parent}, range);
  }

  EntryPage search(const std::string& folded, const PageRange& range) override {
    if (folded.empty()) return {};
    return page(kCountFound, kFound, Value{folded}, range);
  }

 private:
  EntryPage page(const char* count, const char* list, const Value& by, const PageRange& range) {
    EntryPage page;
    database_.read([&](Connection& db) {
      page = {.total = static_cast<std::size_t>(db.number(count, {by}))};
      Query rows{db, list, {by, range.offset, std::min(range.limit, kListMax)}};
      while (rows.step()) page.entries.push_back(read_entry(rows));
    });
    return page;
  }

  Database& database_;
};

}  // namespace

std::unique_ptr<BotCatalogue> make_bot_catalogue(Database& database) {
  return std::make_unique<SqliteBotCatalogue>(database);
}

}  // namespace haul::sqlite

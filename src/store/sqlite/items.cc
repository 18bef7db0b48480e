// Implements Items on SQLite.

#include "store/items.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "base/ensure.h"
#include "base/json.h"
#include "base/planted_bug.h"
#include "store/reader.h"
#include "store/rules/event_data.h"
#include "store/rules/item.h"
#include "store/sqlite/items.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kLifecycle = "SELECT lifecycle FROM jobs WHERE id = ?1";

constexpr const char* kEnsureCounts = R"(
INSERT OR ROLLBACK INTO counts (job)
SELECT ?1
 WHERE NOT EXISTS (SELECT 1 FROM counts WHERE job = ?1))";

constexpr const char* kLast = R"(
SELECT n
  FROM items
 WHERE id > ?1 << 24 AND id < ?1 + 1 << 24
 ORDER BY id DESC
 LIMIT 1)";

constexpr const char* kInsert = R"(
INSERT OR ROLLBACK INTO items (id, job, n, key, url, state, size, updated_at, checkpoint)
VALUES ((?1 << 24) + ?2, ?1, ?2, ?3, ?4, ?7, ?5, ?6, ?8))";

constexpr const char* kHasKey = "SELECT 1 FROM items WHERE job = ?1 AND key = ?2";

constexpr const char* kGrow = R"(
UPDATE OR ROLLBACK counts
   SET total = total + ?2, enumerated = max(enumerated, ?3)
 WHERE job = ?1)";

constexpr const char* kMove = R"(
UPDATE OR ROLLBACK items
   SET state = ?3, path = coalesce(?5, path), size = coalesce(?6, size), evidence = ?7, reason = ?8,
       detail = ?9, updated_at = ?10, checkpoint = coalesce(?11, checkpoint)
 WHERE id = (?1 << 24) + ?2 AND state = ?4)";

// The same for a move without a file. SQLite maintains every index on a column that an UPDATE sets,
// so this leaves out what does not change.
constexpr const char* kMoveOn = R"(
UPDATE OR ROLLBACK items
   SET state = ?3, reason = ?8, detail = ?9, updated_at = ?10,
       checkpoint = coalesce(?11, checkpoint)
 WHERE id = (?1 << 24) + ?2 AND state = ?4)";

constexpr const char* kFile = "SELECT key, path FROM items WHERE id = (?1 << 24) + ?2";

constexpr const char* kDone = R"(
INSERT INTO events (job, seq, n, type, at, worker, data)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7))";

constexpr const char* kNoted = R"(
SELECT j.seq, coalesce((SELECT max(e.n) FROM events e WHERE e.job = j.id AND e.seq = j.seq), 0)
  FROM jobs j
 WHERE j.id = ?1)";

constexpr const char* kCount = R"(
UPDATE OR ROLLBACK counts
   SET downloaded = downloaded + ?2, skipped = skipped + ?3, failed = failed + ?4,
       cancelled = cancelled + ?5, bytes = bytes + ?6
 WHERE job = ?1)";

// ?12 lists the open states: an item that has ended stays as it is.
constexpr const char* kObserve = R"(
UPDATE OR ROLLBACK items
   SET attempt = coalesce(?3, attempt), tries = coalesce(?4, tries), due_at = coalesce(?5, due_at),
       have = coalesce(?6, have), size = coalesce(?7, size), path = coalesce(?8, path),
       checkpoint = coalesce(?9, checkpoint), reason = coalesce(?10, reason),
       updated_at = ?11
 WHERE id = (?1 << 24) + ?2 AND instr(?12, ',' || state || ',') > 0)";

constexpr const char* kList = R"(
SELECT job, n, key, url, state, attempt, tries, due_at, have, size, path, checkpoint, evidence,
       reason, detail, updated_at
  FROM items
 WHERE id > (?1 << 24) + ?2 AND id < ?1 + 1 << 24 AND (?3 = '' OR state = ?3)
 ORDER BY id
 LIMIT ?4)";

// ?2 lists the open states. '{}' is the checkpoint of an item that left no part. total() does not
// overflow, as sum() would with sizes that servers make up. The limit is inside, so that ended
// items count against it: it bounds what is read.
constexpr const char* kOpenBytes = R"(
SELECT count(*), CAST(total(here) FILTER (WHERE is_open) AS INTEGER),
       count(size) FILTER (WHERE is_open),
       CAST(total(size - here) FILTER (WHERE is_open) AS INTEGER)
  FROM (SELECT size, instr(?2, ',' || state || ',') > 0 AS is_open,
               CASE WHEN coalesce(checkpoint, '{}') = '{}' THEN 0
                    ELSE min(have, coalesce(size, have)) END AS here
          FROM items
         WHERE id > ?1 << 24 AND id < ?1 + 1 << 24
         ORDER BY id
         LIMIT ?3))";

constexpr const char* kHasOthers = "SELECT EXISTS (SELECT 1 FROM jobs WHERE id <> ?1)";

// Rides items_receipts. The keys "address" and "address #2" are of one address; '!' is the first
// character after the blank.
constexpr const char* kReceipts = R"(
SELECT i.path, i.size, i.evidence
  FROM items i CROSS JOIN jobs j
 WHERE i.key >= ?2 AND i.key < ?2 || '!' AND i.evidence IS NOT NULL AND i.job <> ?1 AND j.id = i.job
   AND j.owner = (SELECT owner FROM jobs WHERE id = ?1)
   AND NOT EXISTS (SELECT 1 FROM purges WHERE job = i.job)
 ORDER BY i.id DESC
 LIMIT ?3)";

// Rides jobs_open, then the key of the item.
constexpr const char* kLeft = R"(
SELECT i.checkpoint, i.updated_at
  FROM jobs j CROSS JOIN items i
 WHERE j."end" = 'open' AND j.paused = 1 AND j.worker IS NULL AND j.id <> ?1
   AND j.owner = (SELECT owner FROM jobs WHERE id = ?1)
   AND i.job = j.id AND i.key = ?2 AND i.evidence IS NULL AND i.checkpoint IS NOT NULL
 ORDER BY i.updated_at DESC
 LIMIT 1)";

// The last jobs that failed, or ended with failed items.
constexpr const char* kFailedJobs = R"(
SELECT j.id
  FROM jobs j CROSS JOIN counts c
 WHERE j.id <> ?1 AND j."end" <> 'open' AND c.job = j.id AND (c.failed > 0 OR j."end" = 'bad')
   AND j.owner = (SELECT owner FROM jobs WHERE id = ?1)
 ORDER BY j.id DESC
 LIMIT 8)";

// Rides the key of the item. '{}' is the checkpoint of an item that left no part.
constexpr const char* kFailedPart = R"(
SELECT checkpoint, updated_at
  FROM items
 WHERE job = ?1 AND key = ?2 AND evidence IS NULL AND checkpoint <> '{}')";

Refusal lease_gone() { return {RefusalKind::stale, "not_leased", "the lease is not this one"}; }

Refusal no_items() { return {RefusalKind::guarded, "no_items", "such a job has no items"}; }

// The lifecycle of a job's items; nullptr if the job has none or does not exist.
const Lifecycle* items_of(Connection& db, JobId job) {
  Query row{db, kLifecycle, {job}};
  return row.step() ? lifecycle_named(row.text(0)).items : nullptr;
}

Item read_item(const Query& row, const Lifecycle& table) {
  Item item;
  row.id(0, item.job);
  item.n = row.integer(1);
  item.key = row.string(2);
  item.url = row.string(3);
  item.state = state_named(table, row.text(4));
  item.attempt = static_cast<int>(row.integer(5));
  item.tries = static_cast<int>(row.integer(6));
  item.due_at = row.time(7);
  item.have = row.integer(8);
  item.size = row.maybe_integer(9);
  item.path = row.string(10);
  item.checkpoint = row.string(11);
  item.evidence = row.string(12);
  item.reason = row.string(13);
  item.detail = row.string(14);
  item.updated_at = row.time(15);
  return item;
}

// Takes the items that it reads from `items_left`.
std::optional<OpenBytes> read_open_bytes(Connection& db, JobId job, std::int64_t& items_left) {
  const Lifecycle* table = items_of(db, job);
  if (!table) return OpenBytes{};
  const std::string open = open_states(*table);
  Query row{db, kOpenBytes, {job, open, items_left + 1}};
  row.step();
  const bool is_whole = row.integer(0) <= items_left;
  items_left -= std::min(row.integer(0), items_left);
  if (!is_whole) return std::nullopt;
  return OpenBytes{.have = row.integer(1), .sized = row.integer(2), .left = row.integer(3)};
}

std::vector<JobId> failed_jobs(Connection& db, JobId job) {
  std::vector<JobId> ids;
  Query rows{db, kFailedJobs, {job}};
  while (rows.step()) rows.id(0, ids.emplace_back());
  return ids;
}

void take_newer(ItemPast& past, Query& row) {
  if (!row.step() || (!past.checkpoint.empty() && row.time(1) <= past.kept_at)) return;
  past.checkpoint = row.string(0);
  past.kept_at = row.time(1);
}

ItemPast read_past(Connection& db, JobId job, std::string_view key, PastParts parts,
                   std::span<const JobId> failed) {
  ItemPast past;
  Query landed{db, kReceipts, {job, key.substr(0, key.find(' ')), kReceiptsMax}};
  while (landed.step())
    past.receipts.push_back({landed.string(0), landed.integer(1), landed.string(2)});
  if (parts == PastParts::ignore) return past;
  Query left{db, kLeft, {job, key}};
  take_newer(past, left);
  for (const JobId before : failed) {
    Query part{db, kFailedPart, {before, key}};
    take_newer(past, part);
  }
  return past;
}

void insert_item(Connection& db, JobId job, std::int64_t n, const NewItem& item,
                 const Lifecycle& table, Time now) {
  const bool keeps = !item.checkpoint.empty() && is_json_text(item.checkpoint);
  db.run(kInsert, {job, n, item.key, item.url, item.size, now, table.initial().name,
                   keeps ? Value{item.checkpoint} : Value{nullptr}});
}

// What one call adds to the counters and events of its job.
struct CallTally {
  std::int64_t seq = 0;
  std::int64_t noted = 0;  // Number of the last note under this seq.
  rules::ItemTally items{};
  std::int64_t bytes = 0;  // Of the downloaded items.
};

CallTally begin_tally(Connection& db, JobId job) {
  Query row{db, kNoted, {job}};
  row.step();
  return {.seq = row.integer(0), .noted = row.integer(1)};
}

Note done_note(Connection& db, JobId job, std::int64_t n, rules::ItemCount counted) {
  Query file{db, kFile, {job, n}};
  file.step();
  rules::EndedItem item{.key = file.text(0), .path = {}, .counted = counted};
  if (!file.is_null(1)) item.path = file.text(1);
  return rules::item_done_note(item);
}

ItemAnswer move_item(Connection& db, const Lifecycle& table, const Hold& hold, const ItemMove& ask,
                     CallTally& tally, Time now) {
  const auto granted = rules::grant_item(table, ask);
  if (!granted) return std::unexpected{granted.error()};
  const Move* move = *granted;
  const bool keeps = !ask.checkpoint.empty() && is_json_text(ask.checkpoint);
  const bool has_file = !ask.path.empty() || ask.size || !ask.proof.data.empty();
  const bool moved = db.run(has_file ? kMove : kMoveOn,
                            {hold.job, ask.n, move->to, ask.from, or_null(ask.path), ask.size,
                             or_null(ask.proof.data), or_null(ask.reason), or_null(ask.detail), now,
                             keeps ? Value{ask.checkpoint} : Value{nullptr}}) == 1;
  if (!moved)
    return std::unexpected{
        Refusal{RefusalKind::stale, "stale", fmt::format("item {} is not '{}'", ask.n, ask.from)}};
  const rules::ItemCount counted = rules::count_of(table, *move);
  tally.items.count(counted);
  if (counted == rules::ItemCount::downloaded)
    tally.bytes += std::max<std::int64_t>(ask.size.value_or(0), 0);
  if (rules::is_told(counted)) {
    const Note note = done_note(db, hold.job, ask.n, counted);
    db.run(kDone, {hold.job, tally.seq, ++tally.noted, note.type, now, hold.worker, note.data});
  }
  return move->to;
}

// One update of the counters and one JOB_PROGRESS, however many items moved.
void write_tally(Connection& db, JobId job, const CallTally& tally, Time now) {
  const rules::ItemTally& items = tally.items;
  db.run(kCount,
         {job, items.downloaded, items.skipped, items.failed, items.cancelled, tally.bytes});
  if (!items.is_progress()) return;
  const Note note = rules::progress_note(read_counts(db, job));
  write_note(db, job, note.type, note.data, now);
}

class SqliteItems final : public Items {
 public:
  explicit SqliteItems(Database& database) : database_{database} {}

  std::expected<Counts, Refusal> add(const Hold& hold, std::span<const NewItem> items,
                                     Enumeration enumeration, Time now) override {
    std::expected<Counts, Refusal> answer;
    database_.write(items.size() + 1,
                    [&](Connection& db) { answer = add_items(db, hold, items, enumeration, now); });
    return answer;
  }

  ItemAnswers write(const Hold& hold, std::span<const ItemMove> asks,
                    std::span<const ItemObservation> seen, Time now) override {
    check_size(asks.size());
    check_size(seen.size());
    ItemAnswers answers;
    database_.write(asks.size() + seen.size(), [&](Connection& db) {
      const Lifecycle* table = items_of(db, hold.job);
      answers = {.held = table && holds(db, hold)};
      if (!table || (!answers.held && !planted(PlantedBug::zombie_items))) {
        answers.moved.assign(asks.size(), std::unexpected{lease_gone()});
        return;
      }
      const std::string open = seen.empty() ? std::string{} : open_states(*table);
      for (const ItemObservation& each : seen) observe_item(db, hold.job, each, open, now);
      CallTally tally = begin_tally(db, hold.job);
      for (const ItemMove& ask : asks)
        answers.moved.push_back(move_item(db, *table, hold, ask, tally, now));
      if (!asks.empty()) write_tally(db, hold.job, tally, now);
    });
    ensure(answers.moved.size() == asks.size(), "the store answers each move of an item");
    return answers;
  }

  std::vector<Item> list(JobId job, std::string_view state, std::int64_t after,
                         std::size_t limit) override {
    std::vector<Item> items;
    database_.read([&](Connection& db) {
      const Lifecycle* table = items_of(db, job);
      if (!table) return;
      Query rows{db, kList, {job, after, state, std::min(limit, kListMax)}};
      while (rows.step()) items.push_back(read_item(rows, *table));
    });
    return items;
  }

  std::vector<ItemPast> past(JobId job, std::span<const std::string_view> keys,
                             PastParts parts) override {
    std::vector<ItemPast> past(keys.size());
    database_.read_rows(keys.size(), [&](Connection& db) {
      if (db.number(kHasOthers, {job}) == 0) return;
      const auto failed = parts == PastParts::find ? failed_jobs(db, job) : std::vector<JobId>{};
      for (std::size_t i = 0; i < keys.size(); ++i)
        past[i] = read_past(db, job, keys[i], parts, failed);
    });
    return past;
  }

  std::vector<Counts> counts(std::span<const JobId> jobs) override {
    std::vector<Counts> counts;
    counts.reserve(jobs.size());
    database_.read_rows(jobs.size(), [&](Connection& db) {
      for (const JobId job : jobs) counts.push_back(read_counts(db, job));
    });
    return counts;
  }

  std::vector<std::optional<OpenBytes>> open_bytes(std::span<const JobId> jobs) override {
    std::vector<std::optional<OpenBytes>> bytes;
    bytes.reserve(jobs.size());
    std::int64_t items_left = kOpenItemsMax;
    database_.read_rows(jobs.size(), [&](Connection& db) {
      for (const JobId job : jobs) bytes.push_back(read_open_bytes(db, job, items_left));
    });
    return bytes;
  }

 private:
  static Value maybe(const std::optional<int>& number) {
    return number ? Value{*number} : Value{nullptr};
  }
  static Value maybe(const std::optional<std::string>& text) {
    return text ? Value{std::string_view{*text}} : Value{nullptr};
  }

  static void observe_item(Connection& db, JobId job, const ItemObservation& o,
                           const std::string& open, Time now) {
    const bool keeps = o.checkpoint && is_json_text(*o.checkpoint);
    db.run(kObserve,
           {job, o.n, maybe(o.attempt), maybe(o.tries), o.due_at, o.have, o.size, maybe(o.path),
            keeps ? maybe(o.checkpoint) : Value{nullptr}, maybe(o.reason), now, open});
  }

  static std::expected<Counts, Refusal> add_items(Connection& db, const Hold& hold,
                                                  std::span<const NewItem> items,
                                                  Enumeration enumeration, Time now) {
    check_size(items.size());
    if (!holds(db, hold)) return std::unexpected{lease_gone()};
    const Lifecycle* table = items_of(db, hold.job);
    if (!table) return std::unexpected{no_items()};
    db.run(kEnsureCounts, {hold.job});
    if (read_counts(db, hold.job).enumerated)
      return std::unexpected{Refusal{RefusalKind::guarded, "enumerated", "the total is final"}};
    std::int64_t n = db.number(kLast, {hold.job});
    std::vector<ItemMove> skips;
    const std::int64_t before = n;
    std::unordered_set<std::string_view> keys;
    for (const NewItem& item : items) {
      if (!keys.insert(item.key).second) continue;
      if (before > 0 && db.number(kHasKey, {hold.job, item.key}) == 1) continue;
      insert_item(db, hold.job, ++n, item, *table, now);
      if (!item.skip.empty())
        skips.push_back({.n = n,
                         .from = table->initial().name,
                         .on = On::skip,
                         .holds = {Guard::filtered_out},
                         .reason = item.skip});
    }
    db.run(kGrow, {hold.job, n - before, enumeration == Enumeration::complete});
    CallTally tally = begin_tally(db, hold.job);
    for (const ItemMove& skip : skips)
      if (auto skipped = move_item(db, *table, hold, skip, tally, now); !skipped)
        return std::unexpected{skipped.error()};
    if (!skips.empty()) write_tally(db, hold.job, tally, now);
    return read_counts(db, hold.job);
  }

  Database& database_;
};

}  // namespace

void add_known_items(Connection& db, JobId job, const Lifecycle& lifecycle,
                     std::span<const NewItem> items, Time now) {
  ensure(lifecycle.items != nullptr, "a job that is added with items has a lifecycle with items");
  check_size(items.size());
  std::int64_t n = 0;
  for (const NewItem& item : items) insert_item(db, job, ++n, item, *lifecycle.items, now);
  db.run(kEnsureCounts, {job});
  db.run(kGrow, {job, n, true});
}

std::unique_ptr<Items> make_items(Database& database) {
  return std::make_unique<SqliteItems>(database);
}

}  // namespace haul::sqlite

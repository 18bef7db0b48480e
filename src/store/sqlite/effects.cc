#include "store/sqlite/effects.h"

#include <span>
#include <string>

#include "base/planted_bug.h"
#include "store/intents.h"
#include "store/rules/item.h"
#include "store/sqlite/audit.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kCountRetry = R"(
UPDATE OR ROLLBACK jobs
   SET retries = retries + 1
 WHERE id = ?1)";

constexpr const char* kForgetTransfer = R"(
UPDATE OR ROLLBACK jobs
   SET handle = NULL, missing_since = NULL, started_at = NULL, result = NULL, reason = NULL,
       detail = NULL
 WHERE id = ?1)";

// A book whose title is only its id takes the first real title.
constexpr const char* kEnterBook = R"(
INSERT INTO books (id, title)
SELECT book, coalesce(nullif(title, ''), book)
  FROM (SELECT CAST(json_extract(?1, '$.book_id') AS TEXT) AS book,
               CAST(json_extract(?1, '$.title') AS TEXT) AS title)
 WHERE book <> ''
ON CONFLICT (id) DO UPDATE
   SET title = excluded.title
 WHERE books.title = books.id AND excluded.title <> books.id)";

constexpr const char* kBookJob = R"(
INSERT INTO book_jobs (book, job)
SELECT CAST(json_extract(?1, '$.book_id') AS TEXT), ?2
 WHERE json_extract(?1, '$.book_id') <> '')";

// Keeps the first source of an asset, even if another download replaces the file.
constexpr const char* kBookAsset = R"(
INSERT INTO assets (job, book, media_type, status, path, size, checksum, source_url, source,
                    created_at)
VALUES (?1, ?2, ?3, 'available', ?4, ?5, ?6, ?7, ?8, ?9)
ON CONFLICT (book, media_type) WHERE book IS NOT NULL DO UPDATE
   SET job = excluded.job, status = 'available', path = excluded.path, size = excluded.size,
       checksum = excluded.checksum, removed_at = NULL,
       source_url = coalesce(assets.source_url, excluded.source_url))";

constexpr const char* kJobAsset = R"(
INSERT INTO assets (job, n, media_type, status, path, size, checksum, source_url, source,
                    created_at)
VALUES (?1, ?2, ?3, 'available', ?4, ?5, ?6, ?7, ?8, ?9)
ON CONFLICT (job, n) WHERE book IS NULL DO UPDATE
   SET status = 'available', path = excluded.path, size = excluded.size,
       checksum = excluded.checksum, removed_at = NULL)";

// A job that lands again may land fewer files than before.
constexpr const char* kNoMoreAssets = R"(
UPDATE assets SET status = 'missing', path = NULL, removed_at = ?3
 WHERE job = ?1 AND n >= ?2 AND book IS NULL AND status = 'available')";

constexpr const char* kReserve = R"(
INSERT INTO credits (owner, job, kind, amount, at)
VALUES (?1, ?2, 'reserve', ?3, ?4))";

// Spends or refunds the whole reservation; does nothing for a job without one.
constexpr const char* kResolve = R"(
INSERT INTO credits (owner, job, kind, amount, at)
SELECT owner, job, ?2, amount, ?3
  FROM credits
 WHERE job = ?1 AND kind = 'reserve')";

// A planted bug, for the simulator to find.
constexpr const char* kRefundAgain = R"(
INSERT INTO credits (owner, kind, amount, at)
SELECT owner, 'grant', amount, ?2
  FROM credits
 WHERE job = ?1 AND kind = 'reserve')";

constexpr const char* kOwner = "SELECT owner FROM jobs WHERE id = ?1";

constexpr const char* kMoveItems = R"(
UPDATE OR ROLLBACK items
   SET state = ?3, updated_at = ?4
 WHERE id > ?1 << 24 AND id < ?1 + 1 << 24 AND state = ?2)";

constexpr const char* kCountCancelled = R"(
UPDATE OR ROLLBACK counts
   SET cancelled = cancelled + ?2
 WHERE job = ?1)";

// Items that end with their job are told like any other, each with a number of its own. ?5 lists
// the open states.
constexpr const char* kItemsFailed = R"(
INSERT INTO events (job, seq, n, type, at, data)
SELECT job, ?2, ?3 + row_number() OVER (ORDER BY id), 'ITEM_DONE', ?4,
       json_object('file_id', key, 'file_path', path, 'success', json('false'))
  FROM items
 WHERE id > ?1 << 24 AND id < ?1 + 1 << 24 AND instr(?5, ',' || state || ',') > 0)";

constexpr const char* kFailItems = R"(
UPDATE OR ROLLBACK items
   SET state = ?3, updated_at = ?4, reason = ?5, detail = ?6
 WHERE id > ?1 << 24 AND id < ?1 + 1 << 24 AND state = ?2)";

constexpr const char* kCountFailed = R"(
UPDATE OR ROLLBACK counts
   SET failed = failed + ?2
 WHERE job = ?1)";

constexpr const char* kProgress = R"(
INSERT INTO events (job, seq, n, type, at, data)
VALUES (?1, ?2, ?3, 'JOB_PROGRESS', ?4,
        (SELECT json_object('completed_items', downloaded + skipped, 'total_items', total)
           FROM counts
          WHERE job = ?1)))";

constexpr const char* kClearParts = R"(
INSERT INTO intents (job, kind, class, state, created_at)
VALUES (?1, ?2, 'keyed', 'open', ?3)
ON CONFLICT (job, kind) WHERE state = 'open' DO NOTHING)";

constexpr const char* kAdded = R"(
INSERT INTO events (job, seq, n, type, at, to_state)
VALUES (?1, 0, 1, 'ADDED', ?2, ?3))";

constexpr const char* kJobAdded = R"(
INSERT INTO events (job, seq, n, type, at, to_state, data)
VALUES (?1, 0, 1, 'JOB_ADDED', ?2, ?3,
        without_secrets(
          json_object('url', coalesce(json_extract(?4, '$.url'), json_extract(?4, '$.urls[0]')),
                      'engine', coalesce(?5, json_extract(?4, '$.engine'), 'auto'),
                      'output_folder', json_extract(?4, '$.folder')))))";

// Notes under the seq of the move just made. That seq is new, so write_effects() can number them
// from 1. VALUES writes one row, and SQLite keeps nothing to undo it; INSERT ... SELECT might write
// many.
constexpr const char* kJobStarted = R"(
INSERT INTO events (job, seq, n, type, at, data)
VALUES (?1, ?2, ?3, 'JOB_STARTED', ?4,
        (SELECT without_secrets(
                  json_object('url', coalesce(json_extract(r.body, '$.url'),
                                              json_extract(r.body, '$.urls[0]')),
                              'engine', coalesce(j.engine, json_extract(r.body, '$.engine'),
                                                 'auto')))
           FROM jobs j JOIN requests r ON r.job = j.id
          WHERE j.id = ?1)))";

constexpr const char* kJobError = R"(
INSERT INTO events (job, seq, n, type, at, data)
VALUES (?1, ?2, ?3, 'JOB_ERROR', ?4,
        without_secrets(
          json_object('error_message', ?5, 'recoverable', json(iif(?6, 'true', 'false'))))))";

constexpr const char* kJobCancelled = R"(
INSERT INTO events (job, seq, n, type, at)
VALUES (?1, ?2, ?3, 'JOB_CANCELLED', ?4))";

constexpr const char* kJobDone = R"(
INSERT INTO events (job, seq, n, type, at, data)
VALUES (?1, ?2, ?3, 'JOB_DONE', ?4,
        (SELECT json_object('status', ?5,
                            'total_items', coalesce(c.total, 0),
                            'completed_items', coalesce(c.downloaded + c.skipped, 0),
                            'failed_items', coalesce(c.failed, 0),
                            'skipped_items', coalesce(c.skipped, 0))
           FROM (SELECT 1) LEFT JOIN counts c ON c.job = ?1)))";

void record_book(Connection& db, const AssetFacts& asset, JobId job, Time now) {
  ensure_book(db, asset.book, asset.title);
  db.run(kBookAsset,
         {job, asset.book, asset.media_type, asset.path, asset.size, or_null(asset.checksum),
          or_null(asset.source_url), or_null(asset.source), now});
}

void record_assets(Connection& db, const std::vector<AssetFacts>& assets, JobId job, Time now) {
  std::int64_t n = 0;
  for (const AssetFacts& asset : assets) {
    if (!asset.book.empty())
      record_book(db, asset, job, now);
    else
      db.run(kJobAsset,
             {job, n++, asset.media_type, asset.path, asset.size, or_null(asset.checksum),
              or_null(asset.source_url), or_null(asset.source), now});
  }
  db.run(kNoMoreAssets, {job, n, now});
}

void audit_block(Connection& db, const Ask& ask, Time now) {
  const UserId owner{db.number(kOwner, {ask.version.id})};
  write_audit(db,
              {.user = owner, .job = ask.version.id, .action = "SAFE_BLOCK", .detail = ask.reason},
              now);
}

// Returns how many items moved.
std::int64_t move_items(Connection& db, JobId job, std::span<const rules::ItemStep> steps,
                        Time now) {
  std::int64_t moved = 0;
  for (const rules::ItemStep& step : steps)
    moved += db.run(kMoveItems, {job, step.from, step.to, now});
  return moved;
}

void cancel_items(Connection& db, const JobVersion& after, Time now) {
  if (!after.lifecycle->items) return;
  const std::int64_t cancelled =
      move_items(db, after.id, rules::steps_by(*after.lifecycle->items, On::cancel), now);
  if (cancelled > 0) db.run(kCountCancelled, {after.id, cancelled});
}

// The job gives the items back that are in transfer: they move by the trigger of the job's move.
void return_items(Connection& db, const Ask& ask, const JobVersion& after, Time now) {
  if (const Lifecycle* items = after.lifecycle->items)
    move_items(db, after.id, rules::steps_by(*items, ask.on), now);
}

// A lost worker ended the job: no user cancelled the items. Returns the number of the last note.
int fail_items(Connection& db, const Ask& ask, const JobVersion& after, int noted, Time now) {
  if (!after.lifecycle->items) return noted;
  const Lifecycle& items = *after.lifecycle->items;
  const auto live =
      static_cast<int>(db.run(kItemsFailed, {after.id, after.seq, noted, now, open_states(items)}));
  if (live == 0) return noted;
  move_items(db, after.id, rules::steps_before_fail(items), now);
  for (const rules::ItemStep& step : rules::steps_by(items, On::fail))
    db.run(kFailItems,
           {after.id, step.from, step.to, now, or_null(ask.reason), or_null(ask.detail)});
  db.run(kCountFailed, {after.id, live});
  noted += live + 1;
  db.run(kProgress, {after.id, after.seq, noted, now});
  return noted;
}

// Executes the writes of one move. Each kind of write has one overload.
class Effects {
 public:
  Effects(Connection& db, const Ask& ask, const JobVersion& after, Time now)
      : db_{db}, ask_{ask}, after_{after}, now_{now} {}

  void operator()(const rules::CountRetry&) { db_.run(kCountRetry, {after_.id}); }
  void operator()(const rules::ForgetTransfer&) { db_.run(kForgetTransfer, {after_.id}); }
  void operator()(const rules::RecordAsset&) { record_assets(db_, ask_.assets, after_.id, now_); }
  void operator()(const rules::SpendCredit&) { db_.run(kResolve, {after_.id, "spend", now_}); }
  void operator()(const rules::RefundCredit&) {
    db_.run(kResolve, {after_.id, "refund", now_});
    if (planted(PlantedBug::refund_twice)) db_.run(kRefundAgain, {after_.id, now_});
  }
  void operator()(const rules::AuditBlock&) { audit_block(db_, ask_, now_); }
  void operator()(const rules::CancelItems&) { cancel_items(db_, after_, now_); }
  void operator()(const rules::FailItems&) { notes_ = fail_items(db_, ask_, after_, notes_, now_); }
  void operator()(const rules::ReturnItems&) { return_items(db_, ask_, after_, now_); }
  void operator()(const rules::ClearParts&) {
    db_.run(kClearParts, {after_.id, kClearIntent, now_});
  }
  void operator()(const rules::NoteStarted&) {
    db_.run(kJobStarted, {after_.id, after_.seq, ++notes_, now_});
  }
  void operator()(const rules::NoteError& error) {
    db_.run(kJobError, {after_.id, after_.seq, ++notes_, now_, error.message, error.recoverable});
  }
  void operator()(const rules::NoteCancelled&) {
    db_.run(kJobCancelled, {after_.id, after_.seq, ++notes_, now_});
  }
  void operator()(const rules::NoteDone&) {
    db_.run(kJobDone, {after_.id, after_.seq, ++notes_, now_, after_.state});
  }

 private:
  Connection& db_;
  const Ask& ask_;
  const JobVersion& after_;
  const Time now_;
  int notes_ = 0;  // Number of the last note under this move.
};

}  // namespace

void write_effects(Connection& db, const Ask& ask, const rules::GrantedMove& granted, Time now) {
  Effects effects{db, ask, granted.after, now};
  for (const rules::MoveWrite& write : granted.writes) std::visit(effects, write);
}

void apply_add_effects(Connection& db, const NewJob& job, JobId id, Time now) {
  const Lifecycle& table = *job.lifecycle;
  if (table.add.effects.contains(Effect::note_added))
    db.run(kJobAdded, {id, now, table.initial().name, job.request, or_null(job.engine)});
  else
    db.run(kAdded, {id, now, table.initial().name});
  if (table.add.effects.contains(Effect::enter_book)) {
    db.run(kEnterBook, {job.request});
    db.run(kBookJob, {job.request, id});
  }
  if (table.add.effects.contains(Effect::reserve_credit))
    db.run(kReserve, {job.owner, id, job.price, now});
}

}  // namespace haul::sqlite

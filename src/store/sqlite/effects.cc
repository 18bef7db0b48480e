#include "store/sqlite/effects.h"

#include <fmt/core.h>

#include "base/hash.h"
#include "base/plant.h"
#include "store/intents.h"
#include "store/sqlite/audit.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

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

constexpr const char* kEnsureBook = R"(
INSERT INTO books (id, title)
VALUES (?1, ?2)
ON CONFLICT (id) DO UPDATE
   SET title = excluded.title
 WHERE books.title = books.id AND excluded.title <> books.id)";

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
INSERT INTO assets (job, media_type, status, path, size, checksum, source_url, source, created_at)
VALUES (?1, ?2, 'available', ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (job, n) WHERE book IS NULL DO UPDATE
   SET status = 'available', path = excluded.path, size = excluded.size,
       checksum = excluded.checksum, removed_at = NULL)";

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

constexpr const char* kCancelItems = R"(
UPDATE OR ROLLBACK items
   SET state = 'CANCELLED', updated_at = ?2
 WHERE id > ?1 << 24 AND id < ?1 + 1 << 24 AND state IN ('PENDING', 'DOWNLOADING'))";

constexpr const char* kCountCancelled = R"(
UPDATE OR ROLLBACK counts
   SET cancelled = cancelled + ?2
 WHERE job = ?1)";

// Items that end with their job are told like any other, each with a number of its own.
constexpr const char* kItemsFailed = R"(
INSERT INTO events (job, seq, n, type, at, data)
SELECT job, ?2, ?3 + row_number() OVER (ORDER BY id), 'ITEM_DONE', ?4,
       json_object('file_id', key, 'file_path', path, 'success', json('false'))
  FROM items
 WHERE id > ?1 << 24 AND id < ?1 + 1 << 24 AND state IN ('PENDING', 'DOWNLOADING'))";

// An item fails out of DOWNLOADING only: one that waits passes through it.
constexpr const char* kStartItems = R"(
UPDATE OR ROLLBACK items
   SET state = 'DOWNLOADING'
 WHERE id > ?1 << 24 AND id < ?1 + 1 << 24 AND state = 'PENDING')";

constexpr const char* kFailItems = R"(
UPDATE OR ROLLBACK items
   SET state = 'FAILED', reason = ?3, detail = ?4, updated_at = ?2
 WHERE id > ?1 << 24 AND id < ?1 + 1 << 24 AND state = 'DOWNLOADING')";

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

constexpr const char* kReturnItems = R"(
UPDATE OR ROLLBACK items
   SET state = 'PENDING', updated_at = ?2
 WHERE id > ?1 << 24 AND id < ?1 + 1 << 24 AND state = 'DOWNLOADING')";

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

// Notes under the seq of the move just made. That seq is new, so apply_effects() can number them
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

void record_asset(Connection& db, const std::optional<AssetFacts>& facts, JobId job, Time now) {
  if (!facts) return;  // Not reached: move_job() refuses an ask without facts.
  const AssetFacts& asset = *facts;
  if (asset.book.empty()) {
    db.run(kJobAsset, {job, asset.media_type, asset.path, asset.size, or_null(asset.checksum),
                       or_null(asset.source_url), or_null(asset.source), now});
    return;
  }
  db.run(kEnsureBook, {asset.book, asset.title.empty() ? asset.book : asset.title});
  db.run(kBookAsset,
         {job, asset.book, asset.media_type, asset.path, asset.size, or_null(asset.checksum),
          or_null(asset.source_url), or_null(asset.source), now});
}

void audit_block(Connection& db, const Ask& ask, Time now) {
  const UserId owner{db.number(kOwner, {ask.seen.id})};
  write_audit(db, {.user = owner, .job = ask.seen.id, .action = "SAFE_BLOCK", .detail = ask.reason},
              now);
}

void cancel_items(Connection& db, JobId job, Time now) {
  const std::int64_t cancelled = db.run(kCancelItems, {job, now});
  if (cancelled > 0) db.run(kCountCancelled, {job, cancelled});
}

// Nobody cancelled them. Returns the number of the last note.
int fail_items(Connection& db, const Ask& ask, const Seen& after, int noted, Time now) {
  const auto live = static_cast<int>(db.run(kItemsFailed, {after.id, after.seq, noted, now}));
  if (live == 0) return noted;
  db.run(kStartItems, {after.id});
  db.run(kFailItems, {after.id, now, or_null(ask.reason), or_null(ask.detail)});
  db.run(kCountFailed, {after.id, live});
  noted += live + 1;
  db.run(kProgress, {after.id, after.seq, noted, now});
  return noted;
}

// A worker that ends a job removes what it left itself. A job that never ran has left nothing.
void clear_parts(Connection& db, const Ask& ask, const Seen& after, Time now) {
  const bool has_run = after.seq > 1;
  if (has_run && ask.by != By::worker) db.run(kClearParts, {after.id, kClearIntent, now});
}

}  // namespace

void apply_effects(Connection& db, const Ask& ask, const Move& move, const Seen& after, Time now) {
  const JobId job = after.id;
  int n = 0;  // Number of the last note under this move.
  for (const Effect effect : move.terms.effects) {
    switch (effect) {
      case Effect::count_attempt:  // Written with the state by move_job().
      case Effect::set_started:
      case Effect::free_key:
      case Effect::enter_book:  // Only when a job is added.
      case Effect::reserve_credit:
      case Effect::note_added:
        break;
      case Effect::forget_transfer:
        db.run(kForgetTransfer, {job});
        break;
      case Effect::record_asset:
        record_asset(db, ask.asset, job, now);
        break;
      case Effect::spend_credit:
        if (planted(Plant::reject_unresolved) && ask.on == On::reject) break;
        db.run(kResolve, {job, "spend", now});
        break;
      case Effect::refund_credit:
        db.run(kResolve, {job, "refund", now});
        if (planted(Plant::refund_twice)) db.run(kRefundAgain, {job, now});
        break;
      case Effect::audit_block:
        audit_block(db, ask, now);
        break;
      case Effect::cancel_items:
        cancel_items(db, job, now);
        break;
      case Effect::end_items:  // `system` stands in for a worker that was lost.
        if (ask.by == By::system)
          n = fail_items(db, ask, after, n, now);
        else
          cancel_items(db, job, now);
        break;
      case Effect::clear_parts:
        clear_parts(db, ask, after, now);
        break;
      case Effect::return_items:
        db.run(kReturnItems, {job, now});
        break;
      case Effect::note_started:
        db.run(kJobStarted, {job, after.seq, ++n, now});
        break;
      case Effect::note_error: {
        const std::string& what = ask.detail.empty() ? ask.reason : ask.detail;
        const bool recoverable = after.lifecycle->find(after.state)->is_open();
        db.run(kJobError, {job, after.seq, ++n, now, what, recoverable});
        break;
      }
      case Effect::note_cancelled:
        db.run(kJobCancelled, {job, after.seq, ++n, now});
        break;
      case Effect::note_done:
        db.run(kJobDone, {job, after.seq, ++n, now, after.state});
        break;
    }
  }
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

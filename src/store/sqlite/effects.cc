#include "store/sqlite/effects.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/planted_bug.h"
#include "store/intents.h"
#include "store/rules/add.h"
#include "store/rules/event_data.h"
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

constexpr const char* kBookJob = "INSERT INTO book_jobs (book, job) VALUES (?1, ?2)";

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

constexpr const char* kDelivery = R"(
INSERT INTO deliveries (fingerprint, file, job, sent_at)
VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (fingerprint) DO UPDATE
   SET file = excluded.file, job = excluded.job, sent_at = excluded.sent_at)";

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

// ?2 lists the open states.
constexpr const char* kOpenItems = R"(
SELECT key, path
  FROM items
 WHERE id > ?1 << 24 AND id < ?1 + 1 << 24 AND instr(?2, ',' || state || ',') > 0
 ORDER BY id)";

constexpr const char* kFailItems = R"(
UPDATE OR ROLLBACK items
   SET state = ?3, updated_at = ?4, reason = ?5, detail = ?6
 WHERE id > ?1 << 24 AND id < ?1 + 1 << 24 AND state = ?2)";

constexpr const char* kCountFailed = R"(
UPDATE OR ROLLBACK counts
   SET failed = failed + ?2
 WHERE job = ?1)";

constexpr const char* kClearParts = R"(
INSERT INTO intents (job, kind, state, created_at)
VALUES (?1, ?2, 'open', ?3)
ON CONFLICT (job, kind) WHERE state = 'open' DO NOTHING)";

// Rides intents_open: at most one of a kind.
constexpr const char* kOpenIntents = R"(
SELECT id, kind
  FROM intents INDEXED BY intents_open
 WHERE job = ?1 AND state = 'open'
 ORDER BY kind)";

constexpr const char* kSettleUnknown = R"(
UPDATE intents
   SET state = 'unknown', outcome = ?2, settled_at = ?3
 WHERE id = ?1)";

constexpr const char* kAdded = R"(
INSERT INTO events (job, seq, n, type, at, to_state, data)
VALUES (?1, 0, 1, ?2, ?3, ?4, ?5))";

// Uses the primary keys.
constexpr const char* kRequested = R"(
SELECT r.body, j.engine
  FROM requests r JOIN jobs j ON j.id = r.job
 WHERE r.job = ?1)";

// A note under the seq of the move just made. That seq is new, so write_effects() can number them
// from 1. VALUES writes one row, and SQLite keeps nothing to undo it; INSERT ... SELECT might write
// many.
constexpr const char* kNote = R"(
INSERT INTO events (job, seq, n, type, at, data)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))";

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

void audit_block(Connection& db, const rules::AuditBlock& block, JobId job, Time now) {
  const UserId owner{db.number(kOwner, {job})};
  write_audit(
      db, {.user = owner, .job = job, .action = std::string{block.action}, .detail = block.detail},
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

Note started_note(Connection& db, const JobVersion& job) {
  Query row{db, kRequested, {job.id}};
  row.step();
  return rules::started_note(
      {.form = job.lifecycle->request, .request = row.text(0), .engine = row.text(1)});
}

// Numbers the notes of one move.
class Notes {
 public:
  Notes(Connection& db, const JobVersion& after, Time now) : db_{db}, after_{after}, now_{now} {}

  void write(const Note& note) {
    db_.run(kNote, {after_.id, after_.seq, ++last_, note.type, now_, or_null(note.data)});
  }

 private:
  Connection& db_;
  const JobVersion& after_;
  const Time now_;
  int last_ = 0;
};

// Items that end with their job are told like any other. Returns how many there are.
int tell_failed_items(Connection& db, const JobVersion& after, Notes& notes) {
  const std::string open = open_states(*after.lifecycle->items);
  Query rows{db, kOpenItems, {after.id, open}};
  int told = 0;
  for (; rows.step(); ++told) {
    rules::EndedItem item{.key = rows.text(0), .path = {}, .counted = rules::ItemCount::failed};
    if (!rows.is_null(1)) item.path = rows.text(1);
    notes.write(rules::item_done_note(item));
  }
  return told;
}

// A lost worker ended the job: no user cancelled the items.
void fail_items(Connection& db, const Ask& ask, const JobVersion& after, Notes& notes, Time now) {
  if (!after.lifecycle->items) return;
  const Lifecycle& items = *after.lifecycle->items;
  const int live = tell_failed_items(db, after, notes);
  if (live == 0) return;
  move_items(db, after.id, rules::steps_before_fail(items), now);
  for (const rules::ItemStep& step : rules::steps_by(items, On::fail))
    db.run(kFailItems,
           {after.id, step.from, step.to, now, or_null(ask.reason), or_null(ask.detail)});
  db.run(kCountFailed, {after.id, live});
  notes.write(rules::progress_note(read_counts(db, after.id)));
}

// Reads all rows before it writes, because a settled one leaves the index that finds them.
void settle_acts(Connection& db, const JobVersion& after, Notes& notes, Time now) {
  constexpr std::string_view kWhy = "the job ended before the answer to it was known";
  std::vector<std::pair<std::int64_t, std::string>> open;
  {
    Query rows{db, kOpenIntents, {after.id}};
    while (rows.step())
      if (is_act(rows.text(1))) open.emplace_back(rows.integer(0), rows.string(1));
  }
  for (const auto& [id, kind] : open) {
    db.run(kSettleUnknown, {id, kWhy, now});
    notes.write(rules::outcome_unknown_note(kind, kWhy));
  }
}

// Executes the writes of one move. Each kind of write has one overload.
class Effects {
 public:
  Effects(Connection& db, const Ask& ask, const JobVersion& after, Time now)
      : db_{db}, ask_{ask}, after_{after}, now_{now}, notes_{db, after, now} {}

  // The counters that JOB_DONE told.
  std::optional<Counts> told() const { return told_; }

  void operator()(const rules::SettleActs&) { settle_acts(db_, after_, notes_, now_); }
  void operator()(const rules::CountRetry&) { db_.run(kCountRetry, {after_.id}); }
  void operator()(const rules::ForgetTransfer&) { db_.run(kForgetTransfer, {after_.id}); }
  void operator()(const rules::RecordAsset&) { record_assets(db_, ask_.assets, after_.id, now_); }
  void operator()(const rules::RecordDelivery&) {
    if (const auto& sent = ask_.delivery)
      db_.run(kDelivery, {sent->fingerprint, sent->file, after_.id, now_});
  }
  void operator()(const rules::SpendCredit&) { db_.run(kResolve, {after_.id, "spend", now_}); }
  void operator()(const rules::RefundCredit&) {
    db_.run(kResolve, {after_.id, "refund", now_});
    if (planted(PlantedBug::refund_twice)) db_.run(kRefundAgain, {after_.id, now_});
  }
  void operator()(const rules::AuditBlock& block) { audit_block(db_, block, after_.id, now_); }
  void operator()(const rules::CancelItems&) {
    cancel_items(db_, after_, now_);
    told_.reset();
  }
  void operator()(const rules::FailItems&) {
    fail_items(db_, ask_, after_, notes_, now_);
    told_.reset();
  }
  void operator()(const rules::ReturnItems&) { return_items(db_, ask_, after_, now_); }
  void operator()(const rules::ClearParts&) {
    db_.run(kClearParts, {after_.id, kClearIntent, now_});
  }
  void operator()(const rules::NoteStarted&) { notes_.write(started_note(db_, after_)); }
  void operator()(const rules::NoteError& error) { notes_.write(rules::error_note(error)); }
  void operator()(const rules::NoteCancelled&) { notes_.write(rules::cancelled_note()); }
  void operator()(const rules::NoteDone&) {
    told_ = read_counts(db_, after_.id);
    notes_.write(rules::done_note(after_.state, *told_));
  }

 private:
  Connection& db_;
  const Ask& ask_;
  const JobVersion& after_;
  const Time now_;
  Notes notes_;
  std::optional<Counts> told_;
};

// Executes the writes of one add.
class AddEffects {
 public:
  AddEffects(Connection& db, const NewJob& job, JobId id, Time now)
      : db_{db}, job_{job}, id_{id}, now_{now} {}

  void operator()(const rules::NoteAdded& added) {
    db_.run(kAdded, {id_, added.type, now_, job_.lifecycle->initial().name, or_null(added.data)});
  }
  void operator()(const Note& note) { write_note(db_, id_, note.type, note.data, now_); }
  void operator()(const rules::EnterBook& entry) {
    ensure_book(db_, entry.book, entry.title);
    db_.run(kBookJob, {entry.book, id_});
  }
  void operator()(const rules::ReserveCredit& credit) {
    db_.run(kReserve, {job_.owner, id_, credit.amount, now_});
  }
  void operator()(const rules::AuditAdd& added) {
    write_audit(
        db_, {.user = job_.asker, .job = id_, .action = "JOB_ADDED", .detail = added.detail}, now_);
  }

 private:
  Connection& db_;
  const NewJob& job_;
  const JobId id_;
  const Time now_;
};

}  // namespace

std::optional<Counts> write_effects(Connection& db, const Ask& ask,
                                    const rules::GrantedMove& granted, Time now) {
  Effects effects{db, ask, granted.after, now};
  for (const rules::MoveWrite& write : granted.writes)
    std::visit([&effects](const auto& each) { effects(each); }, write);
  return effects.told();
}

void write_add_effects(Connection& db, const NewJob& job, JobId id, Time now) {
  AddEffects effects{db, job, id, now};
  for (const rules::AddWrite& write : rules::writes_of(job)) std::visit(effects, write);
}

}  // namespace haul::sqlite

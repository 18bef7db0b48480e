#include "store/sqlite/rows.h"

#include <fmt/core.h>

#include "lifecycle/tables.h"

namespace haul::sqlite {
namespace {

// In the order of CREATE TABLE jobs.
enum JobColumn : std::uint8_t {
  id,
  lifecycle,
  state,
  end,
  seq,
  fence,
  attempt,
  retries,
  owner,
  lane,
  due_at,
  paused,
  waits,
  worker,
  created_at,
  moved_at,
  seen_at,
  started_at,
  ended_at,
  missing_since,
  expires_at,
  slot,
  key,
  key_scope,
  engine,
  handle,
  reason,
  detail,
  result,
  retry_of,
  not_before,
  priority,
  hidden_at,
};

// Data of events that store/rules has not made goes through without_secrets: backups have the table
// as it is.
constexpr const char* kMoveEvent = R"(
INSERT INTO events (job, seq, n, type, at, from_state, to_state, "on", "by", worker, reason, data)
VALUES (?1, ?2, 0, 'MOVED', ?3, ?4, ?5, ?6, ?7, ?8, ?9, without_secrets(?10)))";

constexpr const char* kNote = R"(
INSERT INTO events (job, seq, n, type, at, data, worker)
VALUES (?1, (SELECT seq FROM jobs WHERE id = ?1),
        (SELECT coalesce(max(n), 0) + 1
           FROM events
          WHERE job = ?1 AND seq = (SELECT seq FROM jobs WHERE id = ?1)),
        ?2, ?3, without_secrets(?4), ?5))";

constexpr const char* kHolds = R"(
SELECT 1
  FROM jobs
 WHERE id = ?1 AND worker = ?2 AND fence = ?3)";

// Uses index jobs_due.
constexpr const char* kNextOwner = R"(
SELECT owner
  FROM jobs INDEXED BY jobs_due
 WHERE lane = ?1 AND owner > ?2 AND "end" = 'open' AND worker IS NULL AND paused = 0
 ORDER BY owner
 LIMIT 1)";

constexpr const char* kEnsureBook = R"(
INSERT INTO books (id, title)
VALUES (?1, ?2)
ON CONFLICT (id) DO UPDATE
   SET title = excluded.title
 WHERE books.title = books.id AND excluded.title <> books.id)";

constexpr const char* kCounts = R"(
SELECT total, downloaded, skipped, failed, cancelled, enumerated, bytes
  FROM counts
 WHERE job = ?1)";

}  // namespace

const Lifecycle& lifecycle_named(std::string_view name) {
  if (const Lifecycle* table = find_lifecycle(name)) return *table;
  throw StoreFault{StoreFault::Kind::broken,
                   fmt::format("unknown lifecycle '{}' in the file", name)};
}

std::string_view state_named(const Lifecycle& table, std::string_view name) {
  if (const State* found = table.find(name)) return found->name;
  throw StoreFault{StoreFault::Kind::broken,
                   fmt::format("unknown state '{}' of {} in the file", name, table.name)};
}

Job read_job(const Query& row) {
  Job job;
  const Lifecycle& table = lifecycle_named(row.text(lifecycle));
  row.id(id, job.version.id);
  job.version.lifecycle = &table;
  job.version.state = state_named(table, row.text(state));
  job.version.seq = row.integer(seq);
  job.version.fence = row.integer(fence);
  job.version.attempt = static_cast<int>(row.integer(attempt));
  job.retries = static_cast<int>(row.integer(retries));
  row.id(owner, job.owner);
  job.lane = row.string(lane);
  job.due_at = row.maybe_time(due_at);
  job.paused = row.flag(paused);
  row.id(worker, job.worker);
  job.created_at = row.time(created_at);
  job.moved_at = row.time(moved_at);
  job.seen_at = row.maybe_time(seen_at);
  job.started_at = row.maybe_time(started_at);
  job.ended_at = row.maybe_time(ended_at);
  job.missing_since = row.maybe_time(missing_since);
  job.expires_at = row.maybe_time(expires_at);
  job.slot = row.string(slot);
  job.key = row.string(key);
  job.engine = row.string(engine);
  job.handle = row.string(handle);
  job.reason = row.string(reason);
  job.detail = row.string(detail);
  job.result = row.string(result);
  row.id(retry_of, job.retry_of);
  job.priority = static_cast<int>(row.integer(priority));
  job.hidden_at = row.maybe_time(hidden_at);
  return job;
}

void write_move(Connection& db, const MoveRow& row, Time now) {
  db.run(kMoveEvent, {row.job, row.seq, now, row.from, row.to, name(row.on), name(row.by),
                      or_null(row.worker), or_null(row.reason), or_null(row.data)});
}

void write_note(Connection& db, JobId job, std::string_view type, std::string_view data, Time now) {
  write_note(db, job, type, data, WorkerId{}, now);
}

void write_note(Connection& db, JobId job, std::string_view type, std::string_view data,
                WorkerId worker, Time now) {
  db.run(kNote, {job, type, now, or_null(data), or_null(worker)});
}

bool holds(Connection& db, const Hold& hold) {
  return hold.worker && db.number(kHolds, {hold.job, hold.worker, hold.fence}) == 1;
}

Counts read_counts(Connection& db, JobId job) {
  Query row{db, kCounts, {job}};
  if (!row.step()) return {};
  return {row.integer(0), row.integer(1), row.integer(2), row.integer(3),
          row.integer(4), row.flag(5),    row.integer(6)};
}

std::optional<UserId> next_owner(Connection& db, const std::string& lane, UserId after) {
  Query row{db, kNextOwner, {lane, after}};
  if (!row.step()) return std::nullopt;
  return UserId{row.integer(0)};
}

std::string open_states(const Lifecycle& table) {
  std::string list{","};
  for (const State& state : table.states)
    if (state.is_open()) list.append(state.name).append(",");
  return list;
}

void ensure_book(Connection& db, std::string_view id, std::string_view title) {
  db.run(kEnsureBook, {id, title.empty() ? id : title});
}

}  // namespace haul::sqlite

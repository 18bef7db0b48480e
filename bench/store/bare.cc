#include "store/bare.h"

#include <sqlite3.h>

#include <cstring>
#include <stdexcept>

namespace haul::bench {
namespace {

void bind(sqlite3_stmt* s, int i, std::int64_t value) { sqlite3_bind_int64(s, i, value); }
void bind(sqlite3_stmt* s, int i, const char* text) {
  if (text)
    sqlite3_bind_text(s, i, text, -1, SQLITE_STATIC);
  else
    sqlite3_bind_null(s, i);
}

constexpr int kCheckpointPages = 12'000;

}  // namespace

Bare::Bare(const std::filesystem::path& file) {
  if (sqlite3_open_v2(file.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr) !=
      SQLITE_OK)
    throw std::runtime_error{"cannot open the file"};
  exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;"
      "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536;");
  sqlite3_wal_autocheckpoint(db_, kCheckpointPages);
  begin_ = prepare("BEGIN IMMEDIATE");
  commit_ = prepare("COMMIT");
  add_job_ = prepare(
      "INSERT OR ROLLBACK INTO jobs (lifecycle, state, \"end\", seq, fence, attempt, owner, lane,"
      " due_at, paused, created_at, moved_at) VALUES (?1, ?2, 'open', 0, 0, 0, 1, ?4, ?3, 0, ?3, "
      "?3)");
  add_request_ = prepare("INSERT OR ROLLBACK INTO requests (job, body) VALUES (?1, ?2)");
  added_ = prepare(
      "INSERT INTO events (job, seq, n, type, at, to_state) VALUES (?1, 0, 1, 'ADDED', ?2, ?3)");
  job_added_ = prepare(
      "INSERT INTO events (job, seq, n, type, at, to_state, data) VALUES (?1, 0, 1, 'JOB_ADDED', "
      "?2,"
      " 'PENDING', json_object('url', json_extract(?3, '$.url'), 'engine',"
      " json_extract(?3, '$.engine'), 'output_folder', json_extract(?3, '$.folder')))");
  due_ = prepare(
      "SELECT id, seq, fence FROM jobs INDEXED BY jobs_due WHERE lane = ?3 AND owner = 1"
      " AND priority = 0 AND due_at <= ?1 AND \"end\" = 'open' AND worker IS NULL AND paused = 0"
      " AND state = 'PENDING'"
      " ORDER BY due_at LIMIT ?2");
  move_ = prepare(
      "UPDATE OR ROLLBACK jobs SET state = ?1, \"end\" = ?2, seq = seq + 1, fence = ?3, worker = "
      "?4,"
      " due_at = ?5, moved_at = ?6, started_at = coalesce(?7, started_at), ended_at = ?8"
      " WHERE id = ?9 AND state = ?10 AND seq = ?11 AND fence = ?12");
  move_on_ = prepare(
      "UPDATE OR ROLLBACK jobs SET state = ?1, seq = seq + 1, fence = ?3, worker = ?4, due_at = ?5,"
      " moved_at = ?6, started_at = coalesce(?7, started_at)"
      " WHERE id = ?9 AND state = ?10 AND seq = ?11 AND fence = ?12");
  moved_ = prepare(
      "INSERT INTO events (job, seq, n, type, at, from_state, to_state, \"on\", \"by\")"
      " VALUES (?1, ?2, 0, 'MOVED', ?3, ?4, ?5, ?6, 'worker')");
  started_ = prepare(
      "INSERT INTO events (job, seq, n, type, at, data) VALUES (?1, ?2, 1, 'JOB_STARTED', ?3,"
      " (SELECT json_object('url', json_extract(body, '$.url'), 'engine',"
      " json_extract(body, '$.engine')) FROM requests WHERE job = ?1))");
  done_ = prepare(
      "INSERT INTO events (job, seq, n, type, at, data) VALUES (?1, ?2, 1, 'JOB_DONE', ?3,"
      " (SELECT json_object('status', 'COMPLETED', 'total_items', coalesce(c.total, 0), "
      "'completed_items',"
      " coalesce(c.downloaded + c.skipped, 0), 'failed_items', coalesce(c.failed, 0),"
      " 'skipped_items', coalesce(c.skipped, 0)) FROM (SELECT 1) LEFT JOIN counts c ON"
      " c.job = ?1))");
  counts_ = prepare("SELECT total = downloaded + skipped + failed FROM counts WHERE job = ?1");
}

Bare::~Bare() {
  for (sqlite3_stmt* statement : statements_) sqlite3_finalize(statement);
  sqlite3_close(db_);
}

sqlite3_stmt* Bare::prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v3(db_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK)
    throw std::runtime_error{sqlite3_errmsg(db_)};
  statements_.push_back(statement);
  return statement;
}

void Bare::run(sqlite3_stmt* statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) throw std::runtime_error{sqlite3_errmsg(db_)};
  sqlite3_reset(statement);
}

void Bare::exec(const char* sql) {
  if (sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    throw std::runtime_error{sqlite3_errmsg(db_)};
}

void Bare::begin() { run(begin_); }
void Bare::commit() { run(commit_); }

void Bare::add(const std::string& request, const std::string& lane, std::int64_t now) {
  bind(add_job_, 1, "batch");
  bind(add_job_, 2, "PENDING");
  bind(add_job_, 3, now);
  bind(add_job_, 4, lane.c_str());
  run(add_job_);
  const std::int64_t id = sqlite3_last_insert_rowid(db_);
  bind(add_request_, 1, id);
  bind(add_request_, 2, request.c_str());
  run(add_request_);
  bind(job_added_, 1, id);
  bind(job_added_, 2, now);
  bind(job_added_, 3, request.c_str());
  run(job_added_);
}

void Bare::add_book(const std::string& request, std::int64_t now) {
  bind(add_job_, 1, "book");
  bind(add_job_, 2, "queued");
  bind(add_job_, 3, now);
  bind(add_job_, 4, "book");
  run(add_job_);
  const std::int64_t id = sqlite3_last_insert_rowid(db_);
  bind(add_request_, 1, id);
  bind(add_request_, 2, request.c_str());
  run(add_request_);
  bind(added_, 1, id);
  bind(added_, 2, now);
  bind(added_, 3, "queued");
  run(added_);
}

std::vector<BareJob> Bare::claim(const std::string& lane, std::size_t limit, std::int64_t worker,
                                 std::int64_t now) {
  std::vector<BareJob> jobs;
  bind(due_, 1, now);
  bind(due_, 2, static_cast<std::int64_t>(limit));
  bind(due_, 3, lane.c_str());
  while (sqlite3_step(due_) == SQLITE_ROW)
    jobs.push_back({sqlite3_column_int64(due_, 0), sqlite3_column_int64(due_, 1),
                    sqlite3_column_int64(due_, 2)});
  sqlite3_reset(due_);
  for (BareJob& job : jobs) {
    move(job, "PENDING", "RUNNING", "open", "claim", worker, now);
    job = {job.id, job.seq + 1, job.fence + 1};
    bind(started_, 1, job.id);
    bind(started_, 2, job.seq);
    bind(started_, 3, now);
    run(started_);
  }
  return jobs;
}

void Bare::finish(const BareJob& job, std::int64_t worker, std::int64_t now) {
  bind(counts_, 1, job.id);
  sqlite3_step(counts_);
  sqlite3_reset(counts_);
  move(job, "RUNNING", "COMPLETED", "good", "done", worker, now);
  bind(done_, 1, job.id);
  bind(done_, 2, job.seq + 1);
  bind(done_, 3, now);
  run(done_);
}

bool Bare::move_book(const BareJob& job, const char* from, const char* to, const char* end,
                     const char* on, std::int64_t now) {
  move(job, from, to, end, on, 0, now);
  return true;
}

void Bare::move(const BareJob& job, const char* from, const char* to, const char* end,
                const char* on, std::int64_t worker, std::int64_t now) {
  const bool open = std::strcmp(end, "open") == 0;
  const bool claims = std::strcmp(on, "claim") == 0;
  sqlite3_stmt* statement = open ? move_on_ : move_;
  bind(statement, 1, to);
  bind(statement, 2, end);
  bind(statement, 3, job.fence + (claims ? 1 : 0));
  if (claims)
    bind(statement, 4, worker);
  else
    sqlite3_bind_null(statement, 4);
  if (open)
    bind(statement, 5, now);
  else
    sqlite3_bind_null(statement, 5);
  bind(statement, 6, now);
  if (claims)
    bind(statement, 7, now);
  else
    sqlite3_bind_null(statement, 7);
  if (open)
    sqlite3_bind_null(statement, 8);
  else
    bind(statement, 8, now);
  bind(statement, 9, job.id);
  bind(statement, 10, from);
  bind(statement, 11, job.seq);
  bind(statement, 12, job.fence);
  run(statement);
  if (sqlite3_changes(db_) != 1) throw std::runtime_error{"stale"};
  bind(moved_, 1, job.id);
  bind(moved_, 2, job.seq + 1);
  bind(moved_, 3, now);
  bind(moved_, 4, from);
  bind(moved_, 5, to);
  bind(moved_, 6, on);
  run(moved_);
}

void Bare::drop_triggers() {
  std::vector<std::string> names;
  sqlite3_stmt* list = prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'");
  while (sqlite3_step(list) == SQLITE_ROW)
    names.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(list, 0)));
  sqlite3_reset(list);
  for (const std::string& name : names) exec(("DROP TRIGGER " + name).c_str());
}

}  // namespace haul::bench

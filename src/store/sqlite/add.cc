#include "store/sqlite/add.h"

#include "base/ensure.h"
#include "store/rules/add.h"
#include "store/sqlite/effects.h"
#include "store/sqlite/items.h"

namespace haul::sqlite {
namespace {

// Uses index jobs_key.
constexpr const char* kByKey = R"(
SELECT j.id, j.created_at, r.body
  FROM jobs j JOIN requests r ON r.job = j.id
 WHERE j.lifecycle = ?1 AND j.owner = ?3 AND j.key = ?2 AND j.key_scope IN ('forever', 'window'))";

// Uses index jobs_key_open.
constexpr const char* kByOpenKey = R"(
SELECT j.id, j.created_at, r.body
  FROM jobs j JOIN requests r ON r.job = j.id
 WHERE j.lifecycle = ?1 AND j.owner = ?3 AND j.key = ?2
   AND j.key_scope = 'while_open' AND j."end" = 'open')";

// Uses index jobs_slot.
constexpr const char* kBySlot = R"(
SELECT id
  FROM jobs
 WHERE lifecycle = ?1 AND owner = ?3 AND slot = ?2 AND "end" = 'open')";

// Both use the primary key.
constexpr const char* kByCallerKey = R"(
SELECT fingerprint, job
  FROM caller_keys
 WHERE owner = ?1 AND key = ?2)";
constexpr const char* kIsListKey = "SELECT 1 FROM list_keys WHERE owner = ?1 AND key = ?2";

constexpr const char* kTakeCallerKey = R"(
INSERT OR ROLLBACK INTO caller_keys (owner, key, fingerprint, job)
VALUES (?1, ?2, ?3, ?4))";

constexpr const char* kNamed = R"(
SELECT EXISTS (SELECT 1 FROM users WHERE id = ?1),
       ?2 IS NOT NULL AND EXISTS (SELECT 1 FROM jobs WHERE id = ?2))";

constexpr const char* kAvailable = "SELECT available FROM wallets WHERE owner = ?1";

// Both use index jobs_own_open.
constexpr const char* kOpenOfOwner = R"(
SELECT count(*)
  FROM (SELECT 1
          FROM jobs INDEXED BY jobs_own_open
         WHERE lifecycle = ?1 AND owner = ?2 AND lane = lifecycle AND "end" = 'open'
         LIMIT ?3))";
constexpr const char* kOpenInAll = R"(
SELECT count(*)
  FROM (SELECT 1
          FROM jobs INDEXED BY jobs_own_open
         WHERE lifecycle = ?1 AND lane = lifecycle AND "end" = 'open'
         LIMIT ?2))";

// Uses index jobs_own.
constexpr const char* kPaced = R"(
SELECT created_at
  FROM jobs INDEXED BY jobs_own
 WHERE lifecycle = ?1 AND owner = ?2 AND lane = lifecycle
 ORDER BY id DESC
 LIMIT 1 OFFSET ?3 - 1)";

// Only a restored store has `newest_job` (job_numbers.h). Without it SQLite chooses the number.
constexpr const char* kInsert = R"(
INSERT OR ROLLBACK INTO jobs
       (id, lifecycle, state, "end", seq, fence, attempt, owner, lane, due_at, paused, created_at,
        moved_at, expires_at, slot, key, key_scope, engine, retry_of, not_before,
        priority)
VALUES ((SELECT max(CAST(value AS INTEGER), (SELECT coalesce(max(id), 0) FROM jobs)) + 1
           FROM meta
          WHERE name = 'newest_job'),
        ?1, ?2, 'open', 0, 0, 0, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
        ?15))";

constexpr const char* kRequest = R"(
INSERT OR ROLLBACK INTO requests (job, body, category)
VALUES (?1, ?2, ?3))";

// Answers the questions of the rules from the open transaction.
class SqliteKeyFacts final : public rules::KeyFacts {
 public:
  SqliteKeyFacts(Connection& db, const NewJob& job) : db_{db}, job_{job} {}

  std::optional<rules::KeyedJob> find(const std::string& key) override {
    const char* sql = job_.key.scope == KeyScope::while_open ? kByOpenKey : kByKey;
    Query row{db_, sql, {job_.lifecycle->name, key, job_.owner}};
    if (!row.step()) return std::nullopt;
    return rules::KeyedJob{JobId{row.integer(0)}, row.time(1), row.text(2) == job_.request};
  }
  std::optional<JobId> find_slot(const std::string& slot) override {
    Query row{db_, kBySlot, {job_.lifecycle->name, slot, job_.owner}};
    if (!row.step()) return std::nullopt;
    return JobId{row.integer(0)};
  }
  rules::CallerKey find_caller_key(const std::string& key) override {
    rules::CallerKey known{.is_of_list = db_.number(kIsListKey, {job_.owner, key}) == 1};
    Query row{db_, kByCallerKey, {job_.owner, key}};
    if (!row.step()) return known;
    known.fingerprint = row.string(0);
    row.id(1, known.job);
    return known;
  }

 private:
  Connection& db_;
  const NewJob& job_;
};

rules::NewJobFacts read_named(Connection& db, const NewJob& job) {
  Query row{db, kNamed, {job.owner, or_null(job.retry_of)}};
  row.step();
  return {.has_owner = row.flag(0), .has_retried = row.flag(1)};
}

// A new job is due later only if its user asked for that.
Value not_before(const NewJob& job, Time now) {
  if (!job.due_at || *job.due_at <= now) return nullptr;
  return *job.due_at;
}

JobId insert(Connection& db, const NewJob& job, Time now) {
  const Lifecycle& table = *job.lifecycle;
  db.run(kInsert,
         {table.name, table.initial().name, job.owner,
          job.lane.empty() ? table.name : std::string_view{job.lane}, job.due_at.value_or(now),
          job.paused, now, job.expires_at, or_null(job.slot), or_null(job.key.value),
          job.key.value.empty() ? Value{nullptr} : Value{name(job.key.scope)}, or_null(job.engine),
          or_null(job.retry_of), not_before(job, now), job.priority});
  const JobId id{db.last_id()};
  const std::string category = rules::category_of(job);
  db.run(kRequest, {id, job.request, or_null(category)});
  return id;
}

rules::AddUse read_use(Connection& db, const NewJob& job) {
  rules::AddUse use;
  if (rules::asks_credit(job)) use.available = db.number(kAvailable, {job.owner});
  const Quota& quota = job.quota;
  const std::string_view lifecycle = job.lifecycle->name;
  if (quota.open_max > 0)
    use.open =
        static_cast<std::size_t>(db.number(kOpenOfOwner, {lifecycle, job.owner, quota.open_max}));
  if (quota.open_in_all > 0)
    use.open_in_all =
        static_cast<std::size_t>(db.number(kOpenInAll, {lifecycle, quota.open_in_all}));
  if (quota.per_minute == 0) return use;
  Query row{db, kPaced, {lifecycle, job.owner, quota.per_minute}};
  if (row.step()) use.paced_at = row.time(0);
  return use;
}

// Adds the job unless another one has its lifecycle's own key or its slot.
AddAnswer add_unless_there(Connection& db, const NewJob& job, SqliteKeyFacts& facts, Time now) {
  if (auto existing = rules::find_existing(job, facts, now)) return *std::move(existing);
  if (auto refusal = rules::check_add(job, read_use(db, job), now))
    return std::unexpected{*std::move(refusal)};
  const JobId id = insert(db, job, now);
  write_add_effects(db, job, id, now);
  if (!job.items.empty()) add_known_items(db, id, *job.lifecycle, job.items, now);
  return Added{id, false};
}

}  // namespace

// A4-9: looks up keys before it checks anything else about the job: a retry must find its job even
// if the wallet is empty or its prompt is blocked by now.
AddAnswer add_job(Connection& db, const NewJob& job, Time now) {
  ensure(job.lifecycle != nullptr, "a new job has a lifecycle");
  if (auto refusal = rules::check_new(job, read_named(db, job)))
    return std::unexpected{*std::move(refusal)};
  SqliteKeyFacts facts{db, job};
  if (auto answer = rules::find_by_caller_key(job, facts)) return *std::move(answer);
  AddAnswer answer = add_unless_there(db, job, facts, now);
  if (answer && !job.caller_key.empty())
    db.run(kTakeCallerKey, {job.owner, job.caller_key, rules::fingerprint_of(job), answer->id});
  return answer;
}

}  // namespace haul::sqlite

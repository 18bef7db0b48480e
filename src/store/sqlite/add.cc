#include "store/sqlite/add.h"

#include <fmt/core.h>

#include "base/ensure.h"
#include "base/hash.h"
#include "lifecycle/tables.h"
#include "store/rules/add.h"
#include "store/sqlite/effects.h"

namespace haul::sqlite {
namespace {

constexpr std::size_t kRequestMax = std::size_t{16} << 20U;
constexpr std::size_t kKeyMax = 255;
constexpr std::size_t kSlotMax = 1'000;

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
  FROM client_keys
 WHERE owner = ?1 AND key = ?2)";
constexpr const char* kIsListKey = "SELECT 1 FROM batch_keys WHERE owner = ?1 AND key = ?2";

constexpr const char* kTakeCallerKey = R"(
INSERT OR ROLLBACK INTO client_keys (owner, key, fingerprint, job)
VALUES (?1, ?2, ?3, ?4))";

constexpr const char* kCheck = R"(
SELECT json_valid(?1),
       EXISTS (SELECT 1 FROM users WHERE id = ?2),
       ?3 IS NULL OR EXISTS (SELECT 1 FROM jobs WHERE id = ?3))";

constexpr const char* kAvailable = "SELECT available FROM wallets WHERE owner = ?1";

constexpr const char* kInsert = R"(
INSERT OR ROLLBACK INTO jobs
       (lifecycle, state, "end", seq, fence, attempt, owner, lane, due_at, paused, created_at,
        moved_at, expires_at, slot, key, key_scope, engine, retry_of)
VALUES (?1, ?2, 'open', 0, 0, 0, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10, ?11, ?12, ?13))";

constexpr const char* kRequest = "INSERT OR ROLLBACK INTO requests (job, body) VALUES (?1, ?2)";

std::unexpected<Refusal> guarded(std::string_view code, std::string detail) {
  return std::unexpected{Refusal{RefusalKind::guarded, std::string{code}, std::move(detail)}};
}

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

 private:
  Connection& db_;
  const NewJob& job_;
};

std::optional<std::unexpected<Refusal>> check(Connection& db, const NewJob& job) {
  if (job.request.size() > kRequestMax)
    return guarded("request_too_large", fmt::format("{} bytes", job.request.size()));
  if (is_item(*job.lifecycle))
    return guarded("not_a_job", "items are added to a job, not beside it");
  if (job.lane.size() > kKeyMax || job.slot.size() > kSlotMax || job.key.earlier.size() > kKeyMax)
    return guarded("too_long", "lane, slot or earlier key");
  if (job.caller_key.size() > kKeyMax)
    return guarded("bad_key", fmt::format("a key has at most {} bytes", kKeyMax));
  if (job.key.value.size() > kKeyMax || job.key.value.empty() != (job.key.scope == KeyScope::none))
    return guarded("bad_key", fmt::format("a key has a scope and at most {} bytes", kKeyMax));
  Query row{db, kCheck, {job.request, job.owner, or_null(job.retry_of)}};
  row.step();
  if (!row.flag(0)) return guarded("bad_request", "the request is not JSON");
  if (!row.flag(1)) return guarded("no_such_user", fmt::format("user {}", job.owner.value));
  if (!row.flag(2)) return guarded("no_such_job", fmt::format("job {}", job.retry_of.value));
  return std::nullopt;
}

JobId insert(Connection& db, const NewJob& job, Time now) {
  const Lifecycle& table = *job.lifecycle;
  db.run(kInsert,
         {table.name, table.initial().name, job.owner,
          job.lane.empty() ? table.name : std::string_view{job.lane}, job.due_at.value_or(now),
          job.paused, now, job.expires_at, or_null(job.slot), or_null(job.key.value),
          job.key.value.empty() ? Value{nullptr} : Value{name(job.key.scope)}, or_null(job.engine),
          or_null(job.retry_of)});
  const JobId id{db.last_id()};
  db.run(kRequest, {id, job.request});
  return id;
}

// Includes the lifecycle: the same fields can mean something else in another one.
std::string fingerprint_of(const NewJob& job) {
  return sha256_hex(std::string{job.lifecycle->name} + "\x1f" + job.request);
}

// The job if the same request came with this key before, a refusal if another one did, nothing if
// the key is new.
std::optional<AddAnswer> find_by_caller_key(Connection& db, const NewJob& job) {
  if (db.number(kIsListKey, {job.owner, job.caller_key}) == 1)
    return guarded("key_reused", "a list of jobs came with this key");
  Query row{db, kByCallerKey, {job.owner, job.caller_key}};
  if (!row.step()) return std::nullopt;
  if (row.text(0) == fingerprint_of(job)) return Added{JobId{row.integer(1)}, true};
  return guarded("key_reused",
                 fmt::format("job {} has this key with another request", row.integer(1)));
}

// Adds the job unless another one has its lifecycle's own key or its slot.
AddAnswer add_unless_there(Connection& db, const NewJob& job, Time now) {
  SqliteKeyFacts facts{db, job};
  if (auto existing = rules::find_existing(job.key, facts, now)) return *std::move(existing);
  if (!job.slot.empty())
    if (const std::int64_t id = db.number(kBySlot, {job.lifecycle->name, job.slot, job.owner}))
      return Added{JobId{id}, true};
  const std::int64_t available = rules::asks_credit(job) ? db.number(kAvailable, {job.owner}) : 0;
  if (auto refusal = rules::check_add(job, available)) return std::unexpected{*std::move(refusal)};
  const JobId id = insert(db, job, now);
  write_add_effects(db, job, id, now);
  return Added{id, false};
}

}  // namespace

// Looks up keys before it checks credits: a retry must find its job even if the wallet is empty.
AddAnswer add_job(Connection& db, const NewJob& job, Time now) {
  ensure(job.lifecycle != nullptr, "a new job has a lifecycle");
  if (auto refusal = check(db, job)) return *refusal;
  if (job.caller_key.empty()) return add_unless_there(db, job, now);
  if (auto answer = find_by_caller_key(db, job)) return *std::move(answer);
  AddAnswer answer = add_unless_there(db, job, now);
  if (answer) db.run(kTakeCallerKey, {job.owner, job.caller_key, fingerprint_of(job), answer->id});
  return answer;
}

}  // namespace haul::sqlite

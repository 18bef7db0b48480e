// Implements Jobs on SQLite. Adding, claiming, moving, releasing and pausing have their own files.

#include "store/jobs.h"

#include <algorithm>

#include "base/ensure.h"
#include "base/planted_bug.h"
#include "store/sqlite/add.h"
#include "store/sqlite/claim.h"
#include "store/sqlite/hide.h"
#include "store/sqlite/lease.h"
#include "store/sqlite/move.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/past.h"
#include "store/sqlite/pause.h"
#include "store/sqlite/priority.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

// NULL leaves a column as it is. An empty handle, reason or detail clears it.
constexpr const char* kObserve = R"(
UPDATE OR ROLLBACK jobs
   SET seen_at = ?2, due_at = coalesce(?3, due_at), engine = coalesce(?4, engine),
       handle = iif(?5 IS NULL, handle, nullif(?5, '')),
       reason = iif(?6 IS NULL, reason, nullif(?6, '')),
       detail = iif(?13 IS NULL, detail, nullif(?13, '')),
       missing_since = iif(?7, ?8, missing_since), waits = coalesce(?15, waits)
 WHERE id = ?1 AND state = ?9 AND seq = ?10 AND fence = ?11 AND worker IS ?12 AND "end" = 'open'
   AND (paused = 0 OR NOT ?14))";

// Uses index jobs_due: steps from lane to lane and from owner to owner, and reads only the jobs
// that are due too late. None becomes due before its not_before. Paused jobs are not in the index;
// resume_job() corrects their due time.
constexpr const char* kRecall = R"(
WITH RECURSIVE hop (lane) AS (
  SELECT min(lane)
    FROM jobs INDEXED BY jobs_due
   WHERE "end" = 'open' AND worker IS NULL AND paused = 0
  UNION ALL
  SELECT (SELECT min(lane)
            FROM jobs INDEXED BY jobs_due
           WHERE lane > hop.lane AND "end" = 'open' AND worker IS NULL AND paused = 0)
    FROM hop
   WHERE hop.lane IS NOT NULL),
step (lane, owner) AS (
  SELECT hop.lane, (SELECT min(owner)
                      FROM jobs INDEXED BY jobs_due
                     WHERE lane = hop.lane AND "end" = 'open' AND worker IS NULL AND paused = 0)
    FROM hop
   WHERE hop.lane IS NOT NULL
  UNION ALL
  SELECT step.lane, (SELECT min(owner)
                       FROM jobs INDEXED BY jobs_due
                      WHERE lane = step.lane AND owner > step.owner AND "end" = 'open'
                        AND worker IS NULL AND paused = 0)
    FROM step
   WHERE step.owner IS NOT NULL)
UPDATE OR ROLLBACK jobs
   SET due_at = max(?2, coalesce(not_before, ?2))
 WHERE id IN (SELECT late.id
                FROM step CROSS JOIN jobs late INDEXED BY jobs_due
                  ON late.lane = step.lane AND late.owner = step.owner
                     AND late.priority IN (-1, 0, 1) AND late.due_at > ?1
                     AND late.due_at > coalesce(late.not_before, 0)
                     AND late."end" = 'open' AND late.worker IS NULL AND late.paused = 0
               LIMIT 4000))";

// Uses index list_keys_age.
constexpr const char* kPruneKeys = R"(
DELETE FROM list_keys
 WHERE (owner, key) IN (SELECT owner, key
                          FROM list_keys
                         WHERE created_at < ?1
                         ORDER BY created_at
                         LIMIT ?2))";

constexpr const char* kTakeKey = R"(
INSERT INTO list_keys (owner, key, fingerprint, created_at)
VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (owner, key) DO NOTHING)";

constexpr const char* kIsJobKey = "SELECT 1 FROM caller_keys WHERE owner = ?1 AND key = ?2";

constexpr const char* kHasKey = R"(
SELECT 1
  FROM list_keys
 WHERE owner = ?1 AND key = ?2 AND fingerprint = ?3)";

Value or_keep(const std::optional<std::string>& text) {
  return text ? Value{std::string_view{*text}} : Value{nullptr};
}

constexpr std::string_view kEachAnswered = "the store answers each entry of a call";

bool observe_one(Connection& db, const Observation& o, Time now) {
  const JobVersion& version = o.version;
  return db.run(kObserve,
                {version.id, now, o.due_at, or_keep(o.engine), or_keep(o.handle), or_keep(o.reason),
                 o.missing_since.has_value(),
                 o.missing_since ? Value{*o.missing_since} : Value{nullptr}, version.state,
                 version.seq, version.fence, or_null(o.worker), or_keep(o.detail), o.unless_paused,
                 o.waits ? Value{*o.waits} : Value{nullptr}}) == 1;
}

class SqliteJobs final : public Jobs {
 public:
  explicit SqliteJobs(Database& database) : database_{database} {}

  std::vector<AddAnswer> add(std::span<const NewJob> jobs, Time now) override {
    check_size(jobs.size());
    std::vector<AddAnswer> answers;
    database_.write(jobs.size(), [&](Connection& db) {
      answers.clear();
      for (const NewJob& job : jobs) answers.push_back(add_job(db, job, now));
    });
    ensure(answers.size() == jobs.size(), kEachAnswered);
    return answers;
  }

  std::vector<AddAnswer> add_past(std::span<const PastJob> jobs) override {
    check_size(jobs.size());
    std::size_t rows = jobs.size();
    for (const PastJob& past : jobs) rows += past.steps.size();
    std::vector<AddAnswer> answers;
    database_.write(rows, [&](Connection& db) {
      answers.clear();
      for (const PastJob& past : jobs) answers.push_back(add_past_job(db, past));
    });
    ensure(answers.size() == jobs.size(), kEachAnswered);
    return answers;
  }

  bool take_key(UserId owner, const std::string& key, const std::string& fingerprint,
                Time now) override {
    bool ours = false;
    database_.write(1, [&](Connection& db) {
      if (db.number(kIsJobKey, {owner, key}) == 1) return;  // The key belongs to a single job.
      db.run(kTakeKey, {owner, key, fingerprint, now});
      ours = db.number(kHasKey, {owner, key, fingerprint}) == 1;
    });
    return ours;
  }

  std::vector<Claim> claim_all(std::span<const ClaimRequest> requests, Time now) override {
    std::size_t limit = 0;
    for (const ClaimRequest& request : requests) limit += std::min(request.limit, kBatchMax + 1);
    check_size(limit);
    std::vector<Claim> claims;
    database_.write(limit, [&](Connection& db) { claims = claim_jobs(db, turns_, requests, now); });
    return claims;
  }

  AddedAndClaimed add_and_claim(std::span<const NewJob> jobs, const ClaimRequest& request,
                                Time now) override {
    check_size(jobs.size());
    check_size(request.limit);
    AddedAndClaimed both;
    database_.write(jobs.size() + request.limit, [&](Connection& db) {
      both.added.clear();
      for (const NewJob& job : jobs) both.added.push_back(add_job(db, job, now));
      both.claimed = claim_added(db, turns_, jobs, request, now);
    });
    ensure(both.added.size() == jobs.size(), kEachAnswered);
    return both;
  }

  std::vector<MoveAnswer> move(std::span<const Ask> asks, Time now) override {
    check_size(asks.size());
    std::vector<MoveAnswer> answers;
    database_.write(asks.size(), [&](Connection& db) {
      answers.clear();
      for (const Ask& ask : asks) answers.push_back(move_job(db, ask, rules::Loss::none, now));
    });
    ensure(answers.size() == asks.size(), kEachAnswered);
    if (planted(PlantedBug::event_after_commit)) tell_later(asks, answers, now);
    return answers;
  }

  std::vector<MoveAnswer> release(std::span<const Release> releases, Time now) override {
    check_size(releases.size());
    std::vector<MoveAnswer> answers;
    database_.write(releases.size(), [&](Connection& db) {
      answers.clear();
      for (const Release& release : releases) answers.push_back(release_job(db, release, now));
    });
    ensure(answers.size() == releases.size(), kEachAnswered);
    return answers;
  }

  Rescued rescue(const Silence& silence, const Chance& chance, Time now) override {
    check_size(silence.limit);
    Rescued done;
    database_.write(silence.limit,
                    [&](Connection& db) { done = rescue_jobs(db, silence, chance, now); });
    return done;
  }

  std::vector<bool> observe(std::span<const Observation> seen, Time now) override {
    check_size(seen.size());
    std::vector<bool> written;
    database_.write(seen.size(), [&](Connection& db) {
      written.clear();
      for (const Observation& o : seen) written.push_back(observe_one(db, o, now));
    });
    ensure(written.size() == seen.size(), kEachAnswered);
    return written;
  }

  std::size_t prune_keys(Time before, std::size_t limit) override {
    std::int64_t removed = 0;
    limit = std::min(limit, kBatchMax);
    database_.write(limit, [&](Connection& db) { removed = db.run(kPruneKeys, {before, limit}); });
    return static_cast<std::size_t>(removed);
  }

  std::size_t recall(Time latest, Time now) override {
    std::size_t recalled = 0;
    for (std::size_t part = kBatchMax; part == kBatchMax; recalled += part)
      database_.write(kBatchMax, [&](Connection& db) {
        part = static_cast<std::size_t>(db.run(kRecall, {latest, now}));
      });
    return recalled;
  }

  MoveAnswer pause(const JobVersion& version, Time now) override {
    MoveAnswer answer;
    database_.write(1, [&](Connection& db) { answer = pause_job(db, version, now); });
    return answer;
  }
  MoveAnswer grant_pause(const JobVersion& version, IntentId wish, Time now) override {
    MoveAnswer answer;
    database_.write(
        1, [&](Connection& db) { answer = haul::sqlite::grant_pause(db, version, wish, now); });
    return answer;
  }
  MoveAnswer resume(const JobVersion& version, Time now) override {
    MoveAnswer answer;
    database_.write(1, [&](Connection& db) { answer = resume_job(db, version, now); });
    return answer;
  }

  MoveAnswer hide(const JobVersion& version, OwnFiles files, Time now) override {
    MoveAnswer answer;
    database_.write(1, [&](Connection& db) { answer = hide_job(db, version, files, now); });
    return answer;
  }
  std::expected<void, Refusal> set_priority(JobId id, int priority, Time now) override {
    std::expected<void, Refusal> answer;
    database_.write(1, [&](Connection& db) { answer = set_job_priority(db, id, priority, now); });
    return answer;
  }

 private:
  // A planted bug, for the simulator to find: writes the events in a second transaction.
  void tell_later(std::span<const Ask> asks, std::span<const MoveAnswer> answers, Time now) {
    database_.write(asks.size(), [&](Connection& db) {
      for (std::size_t i = 0; i < asks.size(); ++i)
        if (answers[i])
          write_move(db,
                     {answers[i]->id, answers[i]->seq, asks[i].version.state, answers[i]->state,
                      asks[i].on, asks[i].by, asks[i].worker, asks[i].reason, asks[i].proof.data},
                     now);
    });
  }

  Database& database_;
  OwnerTurns turns_;  // Only the writer uses it.
};

}  // namespace

std::unique_ptr<Jobs> make_jobs(Database& database) {
  return std::make_unique<SqliteJobs>(database);
}

}  // namespace haul::sqlite

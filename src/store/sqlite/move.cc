#include "store/sqlite/move.h"

#include <fmt/core.h>

#include "base/planted_bug.h"
#include "store/sqlite/effects.h"
#include "store/sqlite/hide.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

// The statement that changes a state. If it changes no row, another write came first.
constexpr const char* kMove = R"(
UPDATE OR ROLLBACK jobs
   SET state = ?1, "end" = ?2, seq = seq + 1, fence = ?3, attempt = ?4, worker = ?5, due_at = ?6,
       moved_at = ?7, started_at = coalesce(?8, started_at), ended_at = ?9,
       reason = iif(?10, reason, ?11), detail = iif(?10, detail, ?12),
       result = coalesce(?19, result), key_scope = iif(?20 AND key IS NOT NULL, 'freed', key_scope),
       waits = 0
 WHERE id = ?13 AND state = ?14 AND seq = ?15 AND fence = ?16 AND lifecycle = ?21
   AND (?17 = 0 OR worker IS ?18)
   AND (?22 = 0 OR paused = 0))";

// The same from one open state to another. SQLite maintains every index on a column that an UPDATE
// sets, even if the value stays the same, so this leaves out columns that do not change.
constexpr const char* kMoveOn = R"(
UPDATE OR ROLLBACK jobs
   SET state = ?1, seq = seq + 1, fence = ?3, attempt = ?4, worker = ?5, due_at = ?6,
       moved_at = ?7, started_at = coalesce(?8, started_at),
       reason = iif(?10, reason, ?11), detail = iif(?10, detail, ?12),
       result = coalesce(?19, result), waits = 0
 WHERE id = ?13 AND state = ?14 AND seq = ?15 AND fence = ?16 AND lifecycle = ?21
   AND (?17 = 0 OR worker IS ?18)
   AND (?22 = 0 OR paused = 0))";

constexpr const char* kNow = R"(
SELECT state, seq, fence, worker
  FROM jobs
 WHERE id = ?1)";

constexpr const char* kOwnerActive = R"(
SELECT u.status = 'ACTIVE'
  FROM jobs j JOIN users u ON u.id = j.owner
 WHERE j.id = ?1)";

// Uses indexes jobs_slot and jobs_key_open.
constexpr const char* kTaken = R"(
SELECT EXISTS (SELECT 1 FROM jobs o
                WHERE o.lifecycle = j.lifecycle AND o.owner = j.owner AND o.slot = j.slot
                  AND o."end" = 'open')
    OR EXISTS (SELECT 1 FROM jobs o
                WHERE o.lifecycle = j.lifecycle AND o.owner = j.owner AND o.key = j.key
                  AND o.key_scope = 'while_open' AND o."end" = 'open')
  FROM jobs j
 WHERE j.id = ?1 AND j."end" <> 'open')";

// A job that was never planned has no counts row, and no items to wait for.
constexpr const char* kItemsLeft = R"(
SELECT NOT (enumerated AND downloaded + skipped + failed = total)
  FROM counts
 WHERE job = ?1)";

// Answers the questions of the rules from the open transaction.
class SqliteJobFacts final : public rules::JobFacts {
 public:
  explicit SqliteJobFacts(Connection& db) : db_{db} {}

  bool is_owner_active(JobId job) override { return db_.number(kOwnerActive, {job}) == 1; }
  bool has_items_left(JobId job) override { return db_.number(kItemsLeft, {job}) == 1; }
  bool is_replaced(JobId job) override { return db_.number(kTaken, {job}) == 1; }

 private:
  Connection& db_;
};

// Planted bugs, for the simulator to find: they leave out parts of the compare.
constexpr const char* kMoveUnfenced = R"(
UPDATE OR ROLLBACK jobs
   SET state = ?1, "end" = ?2, seq = seq + 1, fence = ?3, attempt = ?4, worker = ?5, due_at = ?6,
       moved_at = ?7, started_at = coalesce(?8, started_at), ended_at = ?9,
       reason = iif(?10, reason, ?11), detail = iif(?10, detail, ?12)
 WHERE id = ?13 AND state = ?14 AND seq = ?15)";
constexpr const char* kMoveBlind = R"(
UPDATE OR ROLLBACK jobs
   SET state = ?1, "end" = ?2, seq = seq + 1, fence = max(fence, ?3), attempt = ?4, worker = ?5,
       due_at = ?6, moved_at = ?7, started_at = coalesce(?8, started_at), ended_at = ?9,
       reason = iif(?10, reason, ?11), detail = iif(?10, detail, ?12)
 WHERE id = ?13)";

const char* move_statement(const JobVersion& version, const rules::GrantedMove& granted) {
  if (planted(PlantedBug::no_fence)) return kMoveUnfenced;
  if (planted(PlantedBug::no_compare)) return kMoveBlind;
  const bool stays_open =
      version.lifecycle->at(version.state).is_open() && granted.end == End::open;
  return stays_open && !granted.frees_key ? kMoveOn : kMove;
}

bool compare_and_set(Connection& db, const Ask& ask, const rules::GrantedMove& granted, Time now) {
  const JobVersion& after = granted.after;
  return db.run(move_statement(ask.version, granted),
                {after.state,
                 name(granted.end),
                 after.fence,
                 after.attempt,
                 granted.keeps_lease ? Value{ask.worker} : Value{nullptr},
                 granted.due_at,
                 now,
                 granted.sets_started ? Value{now} : Value{nullptr},
                 granted.end == End::open ? Value{nullptr} : Value{now},
                 granted.keeps_reason,
                 or_null(ask.reason),
                 or_null(ask.detail),
                 ask.version.id,
                 ask.version.state,
                 ask.version.seq,
                 ask.version.fence,
                 granted.compares_worker,
                 or_null(ask.worker),
                 or_null(ask.result),
                 granted.frees_key,
                 after.lifecycle->name,
                 granted.needs_unpaused}) == 1;
}

// Uses the primary key.
constexpr const char* kArrived = "SELECT downloaded, skipped, failed FROM counts WHERE job = ?1";

Counts read_arrived(Connection& db, JobId job) {
  Query row{db, kArrived, {job}};
  if (!row.step()) return {};
  return {.downloaded = row.integer(0), .skipped = row.integer(1), .failed = row.integer(2)};
}

// `counts` are the job's counters if they have been read already.
std::optional<Outcome> outcome_after(Connection& db, const JobVersion& after,
                                     const std::optional<Counts>& counts) {
  const State& state = after.lifecycle->at(after.state);
  if (state.is_open()) return std::nullopt;
  return outcome_of(*after.lifecycle, state, counts ? *counts : read_arrived(db, after.id));
}

void remember(Connection& db, const Ask& ask, const JobVersion& after,
              const std::optional<Counts>& counts) {
  const Lifecycle& table = *after.lifecycle;
  const bool is_bad = table.at(after.state).end == End::bad;
  db.committed_work().moves.push_back({&table, table.at(ask.version.state).name, after.state,
                                       is_bad ? ask.reason : std::string{},
                                       outcome_after(db, after, counts)});
}

}  // namespace

Refusal stale(Connection& db, const JobVersion& version) {
  Query row{db, kNow, {version.id}};
  if (!row.step())
    return {RefusalKind::stale, "no_such_job", fmt::format("job {}", version.id.value)};
  return {RefusalKind::stale, "stale",
          fmt::format("job {} is '{}' at seq {}, fence {}, worker {}; it was seen '{}' at {}, {}",
                      version.id.value, row.text(0), row.integer(1), row.integer(2), row.integer(3),
                      version.state, version.seq, version.fence)};
}

MoveAnswer move_job(Connection& db, const Ask& ask, rules::Loss loss, Time now) {
  SqliteJobFacts facts{db};
  const auto granted = rules::grant_move(ask, loss, facts, now);
  if (!granted) return std::unexpected{granted.error()};
  if (!compare_and_set(db, ask, *granted, now)) return std::unexpected{stale(db, ask.version)};
  const JobVersion& after = granted->after;
  if (granted->end == End::open && !ask.version.lifecycle->at(ask.version.state).is_open())
    show_again(db, ask.version, now);
  if (!planted(PlantedBug::event_after_commit))
    write_move(db,
               {after.id, after.seq, ask.version.state, after.state, ask.on, ask.by, ask.worker,
                ask.reason, ask.proof.data},
               now);
  const std::optional<Counts> counts = write_effects(db, ask, *granted, now);
  remember(db, ask, after, counts);
  return after;
}

}  // namespace haul::sqlite

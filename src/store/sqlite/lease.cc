#include "store/sqlite/lease.h"

#include <algorithm>
#include <array>

#include "base/plant.h"
#include "store/sqlite/move.h"
#include "store/sqlite/pause.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

// Rides jobs_due; named, because statistics of a freshly filled table would mislead the planner.
constexpr const char* kDue = R"(
SELECT id, state, seq, fence, attempt
  FROM jobs INDEXED BY jobs_due
 WHERE lane = ?1 AND due_at <= ?2 AND "end" = 'open' AND worker IS NULL AND paused = 0
   AND lifecycle = ?3 AND state IN (?4, ?5, ?6, ?7, ?8, ?9)
 ORDER BY due_at
 LIMIT ?10)";

constexpr const char* kAdopt = R"(
UPDATE OR ROLLBACK jobs
   SET worker = ?2, fence = fence + 1
 WHERE id = ?1 AND state = ?3 AND seq = ?4 AND fence = ?5 AND worker IS NULL)";

constexpr const char* kUnlease = R"(
UPDATE OR ROLLBACK jobs
   SET worker = NULL, due_at = ?2, reason = coalesce(?3, reason)
 WHERE id = ?1 AND state = ?4 AND seq = ?5 AND fence = ?6 AND worker = ?7)";

constexpr const char* kLose = R"(
UPDATE OR ROLLBACK jobs
   SET worker = NULL, attempt = attempt + 1, fence = fence + 1, due_at = ?2,
       reason = 'worker_lost'
 WHERE id = ?1 AND state = ?3 AND seq = ?4 AND fence = ?5 AND worker = ?6)";

constexpr const char* kEnlisted = "SELECT 1 FROM workers WHERE id = ?1";
constexpr const char* kSilent = "SELECT 1 FROM workers WHERE id = ?1 AND beat = ?2";

// Rides jobs_leased.
constexpr const char* kHeld = R"(
SELECT id, state, seq, fence, attempt
  FROM jobs
 WHERE worker = ?1 AND lifecycle = ?2
 ORDER BY id
 LIMIT ?3)";

constexpr std::size_t kTakeableMax = 6;

// The states a worker can take up: those with a claim, and leased ones that nobody holds.
std::array<Value, kTakeableMax> takeable(const Lifecycle& table) {
  std::array<Value, kTakeableMax> states{nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
  std::size_t i = 0;
  for (const State& state : table.states)
    if (state.is_leased() || table.find(state.name, On::claim)) states.at(i++) = state.name;
  return states;
}

// Read whole before anything is written: the rows are found through the index they leave.
std::vector<Seen> read_seen(Query& rows, const Lifecycle& table) {
  std::vector<Seen> found;
  while (rows.step())
    found.push_back({JobId{rows.integer(0)}, &table, state_named(table, rows.text(1)),
                     rows.integer(2), rows.integer(3), static_cast<int>(rows.integer(4))});
  return found;
}

std::optional<Claim> take(Connection& db, const Seen& seen, WorkerId worker, Time now) {
  if (seen.lifecycle->find(seen.state, On::claim)) {
    const MoveAnswer moved =
        move_job(db, {.seen = seen, .on = On::claim, .worker = worker}, Loss::none, now);
    if (!moved) return std::nullopt;
    return Claim{*moved, false};
  }
  if (db.run(kAdopt, {seen.id, worker, seen.state, seen.seq, seen.fence}) != 1) return std::nullopt;
  write_note(db, seen.id, "ADOPTED", {}, worker, now);
  Seen after = seen;
  after.fence += 1;
  return Claim{after, true};
}

// The last attempt is spent: the job fails by the state's own answer, and the loss is counted.
MoveAnswer fail_lost(Connection& db, const Seen& seen, WorkerId worker, Time now) {
  const Ask ask{.seen = seen,
                .on = On::fail,
                .by = By::system,
                .worker = worker,
                .reason = "worker_crashed",
                .detail = "the worker was lost, and this was the last attempt"};
  const Move* fail = seen.lifecycle->find(seen.state, On::fail);
  const bool counts = fail && fail->has(Effect::count_attempt);
  return move_job(db, ask, counts ? Loss::none : Loss::counted, now);
}

bool is_last_loss(const Seen& seen) {
  const int max = seen.lifecycle->attempts_max;
  const Answer& answer = seen.lifecycle->find(seen.state)->on_lost;
  if (max == 0 || seen.attempt + 1 < max) return false;
  if (answer.kind == AnswerKind::adopt) return true;
  const Move* move = seen.lifecycle->find(seen.state, On::lost);
  return move && move->has(Guard::attempt_left);
}

void rescue_one(Connection& db, const Seen& seen, const Silence& silence, Time due_at, Time now,
                Rescued& done) {
  const Answer& answer = seen.lifecycle->find(seen.state)->on_lost;
  if (is_last_loss(seen)) {
    done.failed += fail_lost(db, seen, silence.worker, now) ? 1 : 0;
  } else if (answer.kind == AnswerKind::adopt) {
    if (db.run(kLose, {seen.id, due_at, seen.state, seen.seq, seen.fence, silence.worker}) != 1)
      return;
    write_note(db, seen.id, "LOST", {}, silence.worker, now);
    done.adopted += 1;
  } else if (answer.kind == AnswerKind::go) {
    const Ask ask{.seen = seen,
                  .on = On::lost,
                  .by = By::system,
                  .worker = silence.worker,
                  .due_at = due_at,
                  .reason = "worker_lost",
                  .detail = "the worker that held it went silent"};
    done.moved += move_job(db, ask, Loss::none, now) ? 1 : 0;
  }
}

}  // namespace

std::vector<Claim> claim_jobs(Connection& db, const ClaimAsk& ask, Time now) {
  if (db.number(kEnlisted, {ask.worker}) != 1) return {};  // Nobody whose beat could be heard.
  const Lifecycle& table = *ask.lifecycle;
  const auto states = takeable(table);
  const std::string_view lane = ask.lane.empty() ? table.name : std::string_view{ask.lane};
  std::vector<Seen> found;
  {
    Query rows{db,
               kDue,
               {lane, now, table.name, states[0], states[1], states[2], states[3], states[4],
                states[5], ask.limit}};
    found = read_seen(rows, table);
  }
  std::vector<Claim> claims;
  claims.reserve(found.size());
  for (const Seen& seen : found)
    if (auto claim = take(db, seen, ask.worker, now)) claims.push_back(*claim);
  return claims;
}

namespace {

MoveAnswer give_back(Connection& db, const Release& release, Time now) {
  const Seen& seen = release.seen;
  if (!release.worker)
    return std::unexpected{Refusal{RefusalKind::stale, "not_leased", "nobody gives it back"}};
  const Time due_at = release.due_at.value_or(now);
  if (seen.lifecycle->find(seen.state, On::release)) {
    const Ask ask{.seen = seen,
                  .on = On::release,
                  .by = By::system,
                  .worker = release.worker,
                  .due_at = due_at,
                  .reason = release.reason,
                  .detail = release.detail};
    return move_job(db, ask, Loss::none, now);
  }
  if (db.run(kUnlease, {seen.id, due_at, or_null(release.reason), seen.state, seen.seq, seen.fence,
                        release.worker}) != 1)
    return std::unexpected{stale(db, seen)};
  write_note(db, seen.id, "RELEASED", {}, release.worker, now);
  return seen;
}

}  // namespace

// A wish to pause that was taken back meanwhile leaves the release as it is: somebody takes it up.
MoveAnswer release_job(Connection& db, const Release& release, Time now) {
  const MoveAnswer released = give_back(db, release, now);
  if (released && release.pause) grant_pause(db, *released, release.pause, now);
  return released;
}

Rescued rescue_jobs(Connection& db, const Silence& silence, const Waits& waits, Time now) {
  Rescued done;
  const bool silent = db.number(kSilent, {silence.worker, silence.beat}) == 1;
  if (!silent && !planted(Plant::rescue_by_memory)) return done;
  std::vector<Seen> held;
  {
    Query rows{db, kHeld, {silence.worker, silence.lifecycle->name, silence.limit}};
    held = read_seen(rows, *silence.lifecycle);
  }
  for (const Seen& seen : held)
    rescue_one(db, seen, silence, now + waits(*seen.lifecycle, seen.attempt + 1), now, done);
  db.deeds().rescues += done.moved + done.adopted + done.failed;
  return done;
}

}  // namespace haul::sqlite

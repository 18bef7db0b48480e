#include "store/sqlite/lease.h"

#include "base/plant.h"
#include "store/sqlite/move.h"
#include "store/sqlite/pause.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kUnlease = R"(
UPDATE OR ROLLBACK jobs
   SET worker = NULL, due_at = ?2, reason = coalesce(?3, reason)
 WHERE id = ?1 AND state = ?4 AND seq = ?5 AND fence = ?6 AND worker = ?7)";

constexpr const char* kLose = R"(
UPDATE OR ROLLBACK jobs
   SET worker = NULL, attempt = attempt + 1, fence = fence + 1, due_at = ?2,
       reason = 'worker_lost'
 WHERE id = ?1 AND state = ?3 AND seq = ?4 AND fence = ?5 AND worker = ?6)";

constexpr const char* kSilent = "SELECT 1 FROM workers WHERE id = ?1 AND beat = ?2";

// Reads all of index jobs_leased: workers hold a bounded number of jobs, and losses are rare.
constexpr const char* kHeld = R"(
SELECT id, state, seq, fence, attempt
  FROM jobs INDEXED BY jobs_leased
 WHERE worker = ?1 AND lifecycle = ?2
 ORDER BY id
 LIMIT ?3)";

// The lost worker spent the last attempt: the job fails, and the loss counts as an attempt.
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

std::vector<Seen> read_seen(Query& rows, const Lifecycle& table) {
  std::vector<Seen> found;
  while (rows.step())
    found.push_back({JobId{rows.integer(0)}, &table, state_named(table, rows.text(1)),
                     rows.integer(2), rows.integer(3), static_cast<int>(rows.integer(4))});
  return found;
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

// If the user has withdrawn the pause intent meanwhile, the job is only released and the next
// worker takes it.
MoveAnswer release_job(Connection& db, const Release& release, Time now) {
  const MoveAnswer released = give_back(db, release, now);
  if (released && release.pause) (void)grant_pause(db, *released, release.pause, now);
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

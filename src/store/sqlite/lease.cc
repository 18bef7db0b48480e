#include "store/sqlite/lease.h"

#include "base/ensure.h"
#include "base/planted_bug.h"
#include "store/sqlite/move.h"
#include "store/sqlite/pause.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

// Leaves an absent due time and reason as they are. The detail belongs to the reason.
constexpr const char* kChange = R"(
UPDATE OR ROLLBACK jobs
   SET worker = ?2, fence = ?3, attempt = ?4, due_at = coalesce(?5, due_at),
       reason = coalesce(?6, reason), detail = iif(?6 IS NULL, detail, ?7), waits = 0
 WHERE id = ?1 AND state = ?8 AND seq = ?9 AND fence = ?10 AND worker IS ?11)";

constexpr const char* kSilent = "SELECT 1 FROM workers WHERE id = ?1 AND beat = ?2";

// Reads all of index jobs_leased: workers hold a bounded number of jobs, and losses are rare.
constexpr const char* kHeld = R"(
SELECT id, state, seq, fence, attempt, waits, coalesce(handle, '') <> ''
  FROM jobs INDEXED BY jobs_leased
 WHERE worker = ?1 AND lifecycle = ?2
 ORDER BY id
 LIMIT ?3)";

// Reads a row of id, state, seq, fence and attempt.
JobVersion read_version(const Query& row, const Lifecycle& table) {
  return {JobId{row.integer(0)}, &table,         state_named(table, row.text(1)),
          row.integer(2),        row.integer(3), static_cast<int>(row.integer(4))};
}

std::vector<rules::LostJob> read_lost(Connection& db, const Silence& silence) {
  std::vector<rules::LostJob> lost;
  Query rows{db, kHeld, {silence.worker, silence.lifecycle->name, silence.limit}};
  while (rows.step())
    lost.push_back({.version = read_version(rows, *silence.lifecycle),
                    .worker = silence.worker,
                    .waits = rows.flag(5),
                    .has_handle = rows.flag(6)});
  return lost;
}

void rescue_one(Connection& db, const rules::LossAnswer& answer, Time now, Rescued& done) {
  switch (answer.kind) {
    case rules::LossAnswer::Kind::none:
      return;
    case rules::LossAnswer::Kind::move:
      done.moved += move_job(db, answer.ask, answer.loss, now) ? 1 : 0;
      return;
    case rules::LossAnswer::Kind::fail:
      done.failed += move_job(db, answer.ask, answer.loss, now) ? 1 : 0;
      return;
    case rules::LossAnswer::Kind::adopt:
      done.adopted += change_lease(db, answer.change, now) ? 1 : 0;
  }
}

}  // namespace

bool change_lease(Connection& db, const rules::LeaseChange& change, Time now) {
  const JobVersion& before = change.before;
  const JobVersion& after = change.after;
  ensure(after.id == before.id && after.seq == before.seq, "a lease changes without a move");
  ensure(after.fence >= before.fence, "a lease never takes a fence back");
  ensure(change.from || change.to, "a lease is taken or given by a worker");
  if (db.run(kChange, {after.id, or_null(change.to), after.fence, after.attempt, change.due_at,
                       or_null(change.reason), or_null(change.detail), before.state, before.seq,
                       before.fence, or_null(change.from)}) != 1)
    return false;
  write_note(db, after.id, change.note, {}, change.to ? change.to : change.from, now);
  return true;
}

std::vector<JobVersion> read_seen(Query& rows, const Lifecycle& table) {
  std::vector<JobVersion> found;
  while (rows.step()) found.push_back(read_version(rows, table));
  return found;
}

namespace {

MoveAnswer unlease(Connection& db, const Release& release, Time now) {
  if (!release.worker)
    return std::unexpected{
        Refusal{RefusalKind::stale, "not_leased", "the release names no worker"}};
  const auto way = rules::give_back(release, now);
  if (const auto* ask = std::get_if<Ask>(&way)) return move_job(db, *ask, rules::Loss::none, now);
  if (change_lease(db, std::get<rules::LeaseChange>(way), now)) return release.version;
  return std::unexpected{stale(db, release.version)};
}

}  // namespace

// If the user has withdrawn the pause intent meanwhile, the job is only released and the next
// worker takes it.
MoveAnswer release_job(Connection& db, const Release& release, Time now) {
  const MoveAnswer released = unlease(db, release, now);
  if (released && release.pause) (void)grant_pause(db, *released, release.pause, now);
  return released;
}

Rescued rescue_jobs(Connection& db, const Silence& silence, const Chance& chance, Time now) {
  ensure(silence.lifecycle != nullptr, "a rescue names its lifecycle");
  Rescued done;
  const bool silent = db.number(kSilent, {silence.worker, silence.beat}) == 1;
  if (!silent && !planted(PlantedBug::rescue_by_memory)) return done;
  for (const rules::LostJob& lost : read_lost(db, silence)) {
    const std::optional<double> drawn = chance ? std::optional{chance()} : std::nullopt;
    rescue_one(db, rules::answer_loss(lost, drawn, now), now, done);
  }
  db.committed_work().rescues += done.moved + done.adopted + done.failed;
  return done;
}

}  // namespace haul::sqlite

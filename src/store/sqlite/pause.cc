#include "store/sqlite/pause.h"

#include "store/sqlite/move.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

// Resuming corrects a due time from before the clock was set back: recall skips paused jobs.
constexpr const char* kPause = R"(
UPDATE OR ROLLBACK jobs
   SET paused = ?2, due_at = iif(?2, due_at, min(due_at, ?6))
 WHERE id = ?1 AND state = ?3 AND seq = ?4 AND fence = ?5 AND worker IS NULL AND "end" = 'open')";

constexpr const char* kIsLeased = "SELECT worker IS NOT NULL FROM jobs WHERE id = ?1";

constexpr const char* kStands = R"(
SELECT 1
  FROM intents
 WHERE id = ?1 AND job = ?2 AND state = 'open')";

constexpr const char* kGrant = R"(
UPDATE intents
   SET state = 'done', outcome = 'paused', settled_at = ?2
 WHERE id = ?1)";

MoveAnswer flag(Connection& db, const JobVersion& seen, bool paused, std::string_view note,
                Time now) {
  if (db.run(kPause, {seen.id, paused, seen.state, seen.seq, seen.fence, now + kWaitMax}) == 1) {
    write_note(db, seen.id, note, std::string_view{}, now);
    return seen;
  }
  const State* state = seen.lifecycle->find(seen.state);
  if (state && !state->is_open())
    return std::unexpected{Refusal{RefusalKind::forbidden, "ended", "an ended job is not paused"}};
  if (db.number(kIsLeased, {seen.id}) == 1)
    return std::unexpected{Refusal{RefusalKind::guarded, "leased", "a worker holds it"}};
  return std::unexpected{stale(db, seen)};
}

}  // namespace

MoveAnswer pause_job(Connection& db, const JobVersion& seen, Time now) {
  return flag(db, seen, true, "PAUSED", now);
}

MoveAnswer resume_job(Connection& db, const JobVersion& seen, Time now) {
  return flag(db, seen, false, "RESUMED", now);
}

MoveAnswer grant_pause(Connection& db, const JobVersion& seen, IntentId wish, Time now) {
  if (db.number(kStands, {wish, seen.id}) != 1)
    return std::unexpected{Refusal{RefusalKind::stale, "taken_back", "the user has withdrawn it"}};
  const MoveAnswer paused = pause_job(db, seen, now);
  if (paused) db.run(kGrant, {wish, now});
  return paused;
}

}  // namespace haul::sqlite

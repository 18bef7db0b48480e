#include "store/sqlite/pause.h"

#include "store/rules/pause.h"
#include "store/sqlite/move.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kPause = R"(
UPDATE OR ROLLBACK jobs
   SET paused = ?2, due_at = min(due_at, max(coalesce(?6, due_at), coalesce(not_before, 0)))
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

// The user's recorded intent to pause. Without one, the user asks now, and it counts as open.
enum class PauseIntent : std::uint8_t { open, withdrawn };

MoveAnswer change(Connection& db, const JobVersion& version, rules::PauseTurn turn,
                  PauseIntent intent, Time now) {
  const auto granted = rules::grant_pause({.version = version,
                                           .turn = turn,
                                           .is_leased = db.number(kIsLeased, {version.id}) == 1,
                                           .is_withdrawn = intent == PauseIntent::withdrawn},
                                          now);
  if (!granted) return std::unexpected{granted.error()};
  if (db.run(kPause, {version.id, granted->paused, version.state, version.seq, version.fence,
                      granted->due_latest}) != 1)
    return std::unexpected{stale(db, version)};
  write_note(db, version.id, granted->note, std::string_view{}, now);
  return version;
}

}  // namespace

MoveAnswer pause_job(Connection& db, const JobVersion& version, Time now) {
  return change(db, version, rules::PauseTurn::pause, PauseIntent::open, now);
}

MoveAnswer resume_job(Connection& db, const JobVersion& version, Time now) {
  return change(db, version, rules::PauseTurn::resume, PauseIntent::open, now);
}

MoveAnswer grant_pause(Connection& db, const JobVersion& version, IntentId wish, Time now) {
  const bool is_open = db.number(kStands, {wish, version.id}) == 1;
  const MoveAnswer paused = change(db, version, rules::PauseTurn::pause,
                                   is_open ? PauseIntent::open : PauseIntent::withdrawn, now);
  if (paused) db.run(kGrant, {wish, now});
  return paused;
}

}  // namespace haul::sqlite

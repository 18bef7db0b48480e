#include "store/sqlite/hide.h"

#include "store/rules/hide.h"
#include "store/sqlite/move.h"
#include "store/sqlite/purge.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kIsHidden = "SELECT hidden_at IS NOT NULL FROM jobs WHERE id = ?1";

constexpr const char* kHide = R"(
UPDATE OR ROLLBACK jobs
   SET hidden_at = ?2
 WHERE id = ?1 AND state = ?3 AND seq = ?4 AND fence = ?5 AND hidden_at IS NULL)";

constexpr const char* kShow = R"(
UPDATE OR ROLLBACK jobs
   SET hidden_at = NULL
 WHERE id = ?1 AND hidden_at IS NOT NULL)";

void write(Connection& db, JobId id, const rules::HideChange& change, Time now) {
  write_note(db, id, change.note, change.data, now);
}

}  // namespace

MoveAnswer hide_job(Connection& db, const JobVersion& version, OwnFiles files, Time now) {
  const auto granted = rules::grant_hide(
      {.version = version, .is_hidden = db.number(kIsHidden, {version.id}) == 1, .files = files});
  if (!granted) return std::unexpected{granted.error()};
  if (const auto& change = *granted) {
    if (db.run(kHide, {version.id, now, version.state, version.seq, version.fence}) != 1)
      return std::unexpected{stale(db, version)};
    write(db, version.id, *change, now);
  }
  if (files == OwnFiles::remove) ask_purge(db, version.id, now);
  return version;
}

void show_again(Connection& db, const JobVersion& version, Time now) {
  if (db.run(kShow, {version.id}) == 1) write(db, version.id, rules::shown_again(version), now);
}

}  // namespace haul::sqlite

#include "store/sqlite/past.h"

#include <fmt/core.h>

#include "store/sqlite/add.h"
#include "store/sqlite/move.h"

namespace haul::sqlite {

AddAnswer add_past_job(Connection& db, const PastJob& past) {
  AddAnswer added = add_job(db, past.job, past.added_at);
  if (!added || added->replayed) return added;
  JobVersion version = as_added(past.job, added->id, past.added_at).version;
  for (const PastJob::Step& step : past.steps) {
    Ask ask = step.ask;
    ask.version = version;
    const MoveAnswer moved = move_job(db, ask, rules::Loss::none, step.at);
    if (!moved)
      throw StoreFault{
          StoreFault::Kind::broken,
          fmt::format("a past move is refused: {} ({})", moved.error().detail, moved.error().code)};
    version = *moved;
  }
  return added;
}

}  // namespace haul::sqlite

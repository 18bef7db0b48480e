#include "store/job.h"

namespace haul {

Seen after_move(const Seen& seen, On on) {
  const Move& move = *seen.lifecycle->find(seen.state, on);
  Seen after = seen;
  after.state = move.to;
  after.seq += 1;
  // A retry is a new life: what was seen of the former one is of a former fence.
  after.fence += on == On::claim || on == On::retry ? 1 : 0;
  after.attempt += move.has(Effect::count_attempt) ? 1 : 0;
  return after;
}

}  // namespace haul

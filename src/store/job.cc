#include "store/job.h"

namespace haul {

Seen after_move(const Seen& seen, On on) {
  const Move& move = *seen.lifecycle->find(seen.state, on);
  Seen after = seen;
  after.state = move.to;
  after.seq += 1;
  // A retry raises the fence, so that sights of the previous run no longer match.
  after.fence += on == On::claim || on == On::retry ? 1 : 0;
  after.attempt += move.has(Effect::count_attempt) ? 1 : 0;
  return after;
}

Job as_added(const NewJob& job, JobId id, Time now) {
  const Lifecycle& table = *job.lifecycle;
  return {.seen = {.id = id, .lifecycle = &table, .state = table.initial().name},
          .owner = job.owner,
          .lane = job.lane.empty() ? std::string{table.name} : job.lane,
          .due_at = job.due_at.value_or(now),
          .paused = job.paused,
          .worker = {},
          .created_at = now,
          .moved_at = now,
          .seen_at = {},
          .started_at = {},
          .ended_at = {},
          .missing_since = {},
          .expires_at = job.expires_at,
          .slot = job.slot,
          .key = job.key.value,
          .engine = job.engine,
          .handle = {},
          .reason = {},
          .detail = {},
          .result = {},
          .retry_of = job.retry_of};
}

}  // namespace haul

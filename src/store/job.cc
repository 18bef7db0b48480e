#include "store/job.h"

#include "base/ensure.h"

namespace haul {

JobVersion after_move(const JobVersion& version, On on) {
  ensure(version.lifecycle != nullptr, "a job has a lifecycle");
  const Move* found = version.lifecycle->find(version.state, on);
  ensure(found != nullptr, "a move is in the table of its lifecycle");
  const Move& move = *found;
  JobVersion after = version;
  after.state = move.to;
  after.seq += 1;
  // A retry raises the fence, so that sights of the previous run no longer match.
  after.fence += on == On::claim || on == On::retry ? 1 : 0;
  after.attempt += move.has(Effect::count_attempt) ? 1 : 0;
  if (move.has(Effect::count_retry)) after.attempt = 0;
  return after;
}

Job as_added(const NewJob& job, JobId id, Time now) {
  ensure(job.lifecycle != nullptr, "a new job has a lifecycle");
  const Lifecycle& table = *job.lifecycle;
  return {.version = {.id = id, .lifecycle = &table, .state = table.initial().name},
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
          .retry_of = job.retry_of,
          .priority = job.priority};
}

}  // namespace haul

// Cancels jobs. If a client or a worker must stop the job first, cancel() records an intent, and
// the job is cancelled when it has stopped.

#include "base/planted_bug.h"
#include "flow/user/user.h"
#include "flow/worker/answer.h"

namespace haul::flow {

CancelWay way_to_cancel(const Job& job) {
  if (!can_cancel(job)) return CancelWay::refused;
  return job.worker || job.state().is_at_client() ? CancelWay::wish : CancelWay::move;
}

CancelAnswer cancel(Store& store, JobId id, Time now) {
  for (int tries = 0; tries < 8; ++tries) {  // Gives up after eight lost races.
    const auto job = store.reader().find(id);
    if (!job) return {.refusal = Refusal{RefusalKind::stale, "no_such_job", ""}};
    const CancelWay way = way_to_cancel(*job);
    if (way == CancelWay::refused)
      return {.refusal = Refusal{RefusalKind::forbidden, "cannot_cancel",
                                 std::string{job->version.state}}};
    if (way == CancelWay::wish) {
      if (planted(PlantedBug::cancel_in_memory)) return {.wished = true};
      const auto wish = store.intents().record(id, {.kind = kCancelIntent}, now);
      if (!wish) continue;
      // Makes the job due now, so that a worker looks at it at once.
      const Observation soon{.version = job->version, .worker = job->worker, .due_at = now};
      store.jobs().observe({&soon, 1}, now);
      return {.wished = true};
    }
    const WantedMove move = answer_cancel().moves.front();
    const Ask ask{.version = job->version,
                  .on = move.on,
                  .by = move.by,
                  .reason = move.reason,
                  .holds = move.holds};
    if (store.jobs().move({&ask, 1}, now).front()) return {.moved = true};
  }
  return {.refusal = Refusal{RefusalKind::stale, "stale", "it keeps changing"}};
}

}  // namespace haul::flow

// Cancels jobs. If a client or a worker must stop the job first, cancel() records an intent, and
// the job is cancelled when it has stopped.

#include <optional>
#include <utility>

#include "base/ensure.h"
#include "base/planted_bug.h"
#include "flow/user/user.h"
#include "flow/worker/answer.h"

namespace haul::flow {
namespace {

constexpr int kTries = 8;  // Lost races, until it gives up.

// A worker then looks at the job at once. If this loses every race, a worker's sweep sees the wish.
void make_due(Store& store, std::optional<Job> job, Time now) {
  for (int tries = 0; tries < kTries && job && job->state().is_open(); ++tries) {
    const Observation soon{.version = job->version, .worker = job->worker, .due_at = now};
    if (store.jobs().observe({&soon, 1}, now).front()) return;
    job = store.reader().find(job->version.id);
  }
}

}  // namespace

CancelWay way_to_cancel(const Job& job) {
  if (!can_cancel(job)) return CancelWay::refused;
  return job.worker || job.state().is_at_client() ? CancelWay::wish : CancelWay::move;
}

CancelAnswer cancel(Store& store, JobId id, Time now) {
  for (int tries = 0; tries < kTries; ++tries) {
    auto job = store.reader().find(id);
    if (!job) return {.refusal = Refusal{RefusalKind::stale, "no_such_job", ""}};
    const CancelWay way = way_to_cancel(*job);
    if (way == CancelWay::refused)
      return {.refusal = Refusal{RefusalKind::forbidden, "cannot_cancel",
                                 std::string{job->version.state}}};
    if (way == CancelWay::wish) {
      if (planted(PlantedBug::cancel_in_memory)) return {.wished = true};
      const auto wish = store.intents().record(id, {.kind = kCancelIntent}, now);
      if (!wish) continue;
      make_due(store, std::move(job), now);
      return {.wished = true};
    }
    const Verdict verdict = answer_cancel();
    ensure(verdict.moves.size() == 1, "a cancel is one move");
    const WantedMove& move = verdict.moves.front();
    const Ask ask{.version = job->version,
                  .on = move.on,
                  .by = move.by,
                  .reason = move.reason,
                  .holds = move.holds};
    if (store.jobs().move({&ask, 1}, now).front()) return {.moved = true};
  }
  return {.refusal = Refusal{RefusalKind::stale, "stale", "the job keeps changing; try again"}};
}

}  // namespace haul::flow

// Pauses and resumes jobs. If a worker holds the job, pause() records an intent; the worker stops
// what can resume later and releases the job paused, in one transaction.

#include "flow/user/user.h"

namespace haul::flow {
namespace {

constexpr int kTries = 8;  // Lost races, until the caller is told that the job keeps changing.

// Whether an outside client has the job. It does not know the pause flag and would go on.
bool is_with_client(Store& store, const Job& job) {
  if (!job.state().is_at_client()) return false;
  return !job.handle.empty() || store.intents().find_open(job.version.id, kHandOverIntent);
}

Refusal no_such_job() { return {RefusalKind::stale, "no_such_job", ""}; }
Refusal keeps_changing() {
  return {RefusalKind::stale, "stale", "the job keeps changing; try again"};
}

}  // namespace

PauseAnswer pause(Store& store, JobId id, Time now) {
  for (int tries = 0; tries < kTries; ++tries) {
    const auto job = store.reader().find(id);
    if (!job) return {.refusal = no_such_job()};
    if (job->state().is_open() && store.intents().find_open(id, kCancelIntent))
      return {.refusal = Refusal{RefusalKind::forbidden, "cancel_asked",
                                 "the job is being cancelled and cannot be paused"}};
    if (job->state().is_open() && is_with_client(store, *job))
      return {.refusal = Refusal{RefusalKind::forbidden, "with_client",
                                 "the download client has the job and cannot pause it"}};
    const MoveAnswer paused = store.jobs().pause(job->version, now);
    if (paused) return {.done = true};
    if (paused.error().code == "ended") return {.refusal = paused.error()};
    if (paused.error().code != "leased") continue;
    if (store.intents().record(id, {.kind = kPauseIntent}, now)) return {.wished = true};
  }
  return {.refusal = keeps_changing()};
}

PauseAnswer resume(Store& store, JobId id, Time now) {
  for (int tries = 0; tries < kTries; ++tries) {
    const auto job = store.reader().find(id);
    if (!job) return {.refusal = no_such_job()};
    const auto wish = store.intents().find_open(id, kPauseIntent);
    const bool taken_back =
        wish && store.intents().settle(wish->id, IntentState::failed, "taken_back", now);
    if (taken_back && !job->paused) return {.done = true};
    const MoveAnswer resumed = store.jobs().resume(job->version, now);
    if (resumed) return {.done = true};
    if (resumed.error().kind != RefusalKind::stale) return {.refusal = resumed.error()};
  }
  return {.refusal = keeps_changing()};
}

}  // namespace haul::flow

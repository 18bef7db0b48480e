// Pauses and resumes jobs. If a worker holds the job, pause() records an intent; the worker stops
// what can resume later and releases the job paused, in one transaction.

#include "flow/user.h"
#include "flow/verbs.h"

namespace haul {
namespace {

constexpr const char* kPause = "pause";
constexpr std::size_t kPausesMax = 1'000;
constexpr int kTries = 8;  // A race lost this often is somebody else's fault.

void release_paused(Desk& desk, const Job& job, IntentId wish) {
  // A pause is no fault: an empty reason keeps the last one visible.
  const Release back{
      .seen = job.seen, .worker = desk.worker, .reason = {}, .due_at = {}, .pause = wish};
  desk.store.jobs().release({&back, 1}, desk.now());
  desk.drop(job.seen.id);
}

// Pauses a held job. An act that is not safe to repeat ends first, which takes only a moment.
void pause_held(Desk& desk, Held& held, IntentId wish) {
  if (held.job.seen.lifecycle->name == "batch") return stop_batch(desk, held, Parts::keep);
  if (held.intent || desk.is_asking(held.job.seen.id)) return;
  release_paused(desk, held.job, wish);
}

// Whether an outside client has the job. It does not know the pause flag and would go on.
bool is_with_client(Store& store, const Job& job) {
  if (job.state().step != Step::transfer || job.state().is_leased()) return false;
  return !job.handle.empty() || store.intents().find_open(job.seen.id, "hand_over");
}

Refusal no_such_job() { return {RefusalKind::stale, "no_such_job", ""}; }
Refusal restless() { return {RefusalKind::stale, "stale", "it keeps changing"}; }

}  // namespace

void see_pauses(Desk& desk) {
  for (const Intent& wish : desk.next_open(kPause, kPausesMax)) {
    const auto job = desk.store.reader().find(wish.job);
    if (!job || !job->state().is_open())
      desk.store.intents().settle(wish.id, IntentState::failed, "ended", desk.now());
    else if (const auto found = desk.held.find(wish.job); found != desk.held.end())
      pause_held(desk, found->second, wish.id);
    else if (!job->worker)  // Its worker has released it meanwhile.
      (void)desk.store.jobs().grant_pause(job->seen, wish.id, desk.now());
  }
}

// If the user withdrew the pause while the transfers stopped, the job is due again at once.
void pause_stopped(Desk& desk, Held& held) {
  const auto wish = desk.store.intents().find_open(held.job.seen.id, kPause);
  release_paused(desk, held.job, wish ? wish->id : IntentId{});
}

PauseAnswer pause(Store& store, JobId id, Time now) {
  for (int tries = 0; tries < kTries; ++tries) {
    const auto job = store.reader().find(id);
    if (!job) return {.refusal = no_such_job()};
    if (job->state().is_open() && store.intents().find_open(id, "cancel"))
      return {.refusal = Refusal{RefusalKind::forbidden, "cancel_asked", "it is to be cancelled"}};
    if (job->state().is_open() && is_with_client(store, *job))
      return {.refusal = Refusal{RefusalKind::forbidden, "with_client",
                                 "an outside client fetches it, and would go on"}};
    const MoveAnswer paused = store.jobs().pause(job->seen, now);
    if (paused) return {.done = true};
    if (paused.error().code == "ended") return {.refusal = paused.error()};
    if (paused.error().code != "leased") continue;
    if (store.intents().wish(id, {.kind = kPause, .repeat = IntentClass::keyed}, now))
      return {.wished = true};
  }
  return {.refusal = restless()};
}

PauseAnswer resume(Store& store, JobId id, Time now) {
  for (int tries = 0; tries < kTries; ++tries) {
    const auto job = store.reader().find(id);
    if (!job) return {.refusal = no_such_job()};
    const auto wish = store.intents().find_open(id, kPause);
    const bool taken_back =
        wish && store.intents().settle(wish->id, IntentState::failed, "taken_back", now);
    if (taken_back && !job->paused) return {.done = true};
    const MoveAnswer resumed = store.jobs().resume(job->seen, now);
    if (resumed) return {.done = true};
    if (resumed.error().kind != RefusalKind::stale) return {.refusal = resumed.error()};
  }
  return {.refusal = restless()};
}

}  // namespace haul

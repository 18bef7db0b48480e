// Cancels jobs. If a client or a worker must stop the job first, cancel() records an intent, and
// the job is cancelled when it has stopped.

#include "base/plant.h"
#include "flow/user.h"
#include "flow/verbs.h"

namespace haul {
namespace {

constexpr const char* kCancel = "cancel";
constexpr std::size_t kCancelsMax = 1'000;

// Whether a client or a worker must stop the job before it may be cancelled.
bool must_ask(const Job& job) {
  const std::string_view lifecycle = job.seen.lifecycle->name;
  const bool with_client = job.state().step == Step::transfer && !job.state().is_leased();
  return (lifecycle == "batch" && job.seen.state == "RUNNING") ||
         ((lifecycle == "book" || lifecycle == "media") && with_client);
}

// watch_client() skips paused jobs, so this asks the client to stop.
void stop_paused(Desk& desk, const Job& job) {
  if (desk.is_restored()) return;
  if (job.due_at > desk.now() || !desk.note(job, {.look_after = desk.settings.poll})) return;
  const auto request = desk.store.reader().request(job.seen.id);
  desk.outside.client.stop(desk.order(job, request.value_or("{}")), Parts::remove, desk.inbox);
}

}  // namespace

void see_cancels(Desk& desk) {
  for (const Intent& cancel : desk.next_open(kCancel, kCancelsMax)) {
    const auto job = desk.store.reader().find(cancel.job);
    if (!job || !job->state().is_open()) {
      desk.store.intents().settle(cancel.id, IntentState::failed, "ended", desk.now());
      continue;
    }
    if (const auto found = desk.held.find(cancel.job); found != desk.held.end()) {
      stop_batch(desk, found->second, Parts::remove);
    } else if (job->paused && must_ask(*job)) {
      stop_paused(desk, *job);
    } else if (!job->worker && !must_ask(*job)) {  // Its worker has released it meanwhile.
      const Verdict verdict{.wishes = {{.on = On::cancel, .reason = "cancelled", .by = By::user}}};
      desk.wish(*job, verdict, {}, [](const Refusal&) {});
    }
  }
}

void cancel_stopped(Desk& desk, Held& held) {
  const JobId job = held.job.seen.id;
  const Verdict verdict{.wishes = {{.on = On::cancel, .reason = "cancelled", .by = By::user}}};
  desk.wish(held.job, verdict, [&desk, job](const Seen&) {
    if (const auto wish = desk.store.intents().find_open(job, kCancel))
      desk.store.intents().settle(wish->id, IntentState::done, "stopped", desk.now());
  });
}

CancelAnswer cancel(Store& store, JobId id, Time now) {
  for (int tries = 0; tries < 8; ++tries) {  // Gives up after eight lost races.
    const auto job = store.reader().find(id);
    if (!job) return {.refusal = Refusal{RefusalKind::stale, "no_such_job", ""}};
    const Answer& answer = job->state().on_cancel;
    if (!job->state().is_open() || answer.kind != AnswerKind::go)
      return {.refusal =
                  Refusal{RefusalKind::forbidden, "cannot_cancel", std::string{job->seen.state}}};
    if (must_ask(*job)) {
      if (planted(Plant::cancel_in_memory)) return {.wished = true};
      const auto wish =
          store.intents().wish(id, {.kind = kCancel, .repeat = IntentClass::keyed}, now);
      if (!wish) continue;
      // Makes the job due now, so that a worker looks at it at once.
      const Observation soon{.seen = job->seen, .worker = job->worker, .due_at = now};
      store.jobs().observe({&soon, 1}, now);
      return {.wished = true};
    }
    const Ask ask{.seen = job->seen, .on = On::cancel, .by = By::user, .reason = "canceled"};
    if (store.jobs().move({&ask, 1}, now).front()) return {.moved = true};
  }
  return {.refusal = Refusal{RefusalKind::stale, "stale", "it keeps changing"}};
}

}  // namespace haul

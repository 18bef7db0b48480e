#include "flow/worker/stop.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/ensure.h"
#include "flow/worker/answer.h"
#include "flow/worker/handler.h"
#include "flow/worker/hear.h"

namespace haul::flow {
namespace {

constexpr std::size_t kWishesMax = 1'000;
constexpr std::size_t kClearsMax = 100;
constexpr Millis kAnswerWithin{2'000};  // S2-12: from the user's wish to its answer.
constexpr Millis kStopWithin{1'500};    // The most of it that engines and sinks get.
constexpr Millis kStopAtLeast{500};     // The least: the wall clock may have been set meanwhile.
constexpr Millis kPlaceWithin{30'000};  // Beyond that, for a disk that puts files in their places.

// A worker that no thread wakes sees the wish at its next sweep. Its engines and sinks then get
// less time to stop.
Steady stop_until(const Desk& desk, const Intent& wish) {
  const Millis left = kAnswerWithin - (desk.now() - wish.created_at);
  return desk.clock.steady() + std::clamp(left, kStopAtLeast, kStopWithin);
}

// A cancel that a guard refuses ends here. One that came too late is judged again with the new row.
Desk::Otherwise refuse_unless_stale(Desk& desk, IntentId wish) {
  return [&desk, wish](const Refusal& why) {
    if (why.kind != RefusalKind::stale) refuse_cancel(desk, wish);
  };
}

// If the state refuses the cancel, the worker gives the job back, and the next worker begins the
// job's step anew. If an act still goes on that is not safe to repeat, its outcome is unknown.
void cancel_stopped(Desk& desk, Held& held, IntentId wish) {
  if (!can_cancel(held.job)) {
    refuse_cancel(desk, wish);
    return desk.release(held.job, {}, Millis{0});
  }
  if (!desk.handler(held).is_at_rest(held))
    desk.settle(held, IntentState::unknown, "it was stopped before the answer");
  desk.ask(held.job, answer_cancel(), settle_cancel(desk, wish),
           [&desk, wish, version = held.job.version](const Refusal& why) {
             refuse_unless_stale(desk, wish)(why);
             desk.give_back_if_held(version, why);
           });
}

// If the user has withdrawn the pause meanwhile, the job is due again at once. A pause is no fault:
// the empty reason keeps the job's last fault visible. The worker leaves an open intent of the job
// open, and the next worker reads it.
void pause_stopped(Desk& desk, Held& held, IntentId wish) {
  const Release back{.version = held.job.version,
                     .worker = desk.worker,
                     .reason = {},
                     .due_at = {},
                     .pause = wish};
  desk.store.jobs().release({&back, 1}, desk.now());
  desk.drop(held.job.version.id);
}

// Whether a stopping job still waits for an answer. A cancel that did not wait for files on their
// way would call them cancelled, and leave them in their places. A disk that hangs delays it, but
// not for ever.
bool waits_for_answer(const Desk& desk, const Held& held, const Stopping& stopping) {
  const Handler& handler = desk.handler(held);
  if (handler.is_at_rest(held)) return false;
  const Steady now = desk.clock.steady();
  if (now < stopping.until) return true;
  if (stopping.leftovers == Leftovers::keep) return handler.needs_answer(held);
  return handler.is_placing(held) && now < stopping.until + kPlaceWithin;
}

void end_stopping(Desk& desk, Held& held) {
  const JobId job = held.job.version.id;
  if (!held.stopping) return;
  const Stopping stopping = *held.stopping;
  if (waits_for_answer(desk, held, stopping) || desk.is_asking(job)) return;
  desk.handler(held).save(held);
  if (!desk.held.contains(job) || desk.is_asking(job)) return;  // Lost, or it ended by itself.
  if (stopping.leftovers == Leftovers::remove) return cancel_stopped(desk, held, stopping.wish);
  pause_stopped(desk, held, stopping.wish);
}

void tell(Desk& desk, Held& held, const Stopping& stopping) {
  held.stopping = stopping;
  held.again_at.reset();
  desk.handler(held).stop(held, stopping.leftovers);
}

void stop(Desk& desk, Held& held, Leftovers leftovers, const Intent& wish) {
  if (held.was_told(leftovers)) {  // For this wish, for a withdrawn pause, or for a shutdown.
    if (held.stopping && held.stopping->leftovers == leftovers) held.stopping->wish = wish.id;
    return;
  }
  const JobId job = held.job.version.id;
  desk.handler(held).save(held);
  if (!desk.held.contains(job) || desk.is_asking(job)) return;  // It ended before it was stopped.
  tell(desk, held, {.until = stop_until(desk, wish), .leftovers = leftovers, .wish = wish.id});
  end_stopping(desk, held);
}

// Tells the clients to stop paused jobs that users want cancelled. ClientWork::look() skips paused
// jobs.
void stop_paused(Desk& desk, std::span<const Job> paused) {
  if (desk.is_restored()) return;
  std::vector<std::pair<Job, Observed>> due;
  for (const Job& job : paused)
    if (!(job.due_at > desk.now()))
      due.emplace_back(job, Observed{.look_after = desk.settings.poll});
  const std::vector<bool> written = desk.observe_all(due);
  for (const auto& handler : desk.handlers) {
    std::vector<Job> stopping;
    for (std::size_t i = 0; i < due.size(); ++i)
      if (written[i] && due[i].first.version.lifecycle == &handler->lifecycle())
        stopping.push_back(due[i].first);
    if (stopping.empty()) continue;
    ClientWork* const client = handler->client_work();
    ensure(client != nullptr, "a lifecycle whose jobs are at a client has work there");
    client->stop(stopping);
  }
}

// The jobs of the intents, in one read. One answer per intent, in order.
std::vector<std::optional<Job>> jobs_of(Desk& desk, std::span<const Intent> intents) {
  std::vector<JobId> ids;
  ids.reserve(intents.size());
  for (const Intent& intent : intents) ids.push_back(intent.job);
  std::vector<std::optional<Job>> jobs = desk.store.reader().find(ids);
  ensure(jobs.size() == intents.size(), "the store answers for every job");
  return jobs;
}

void see_pauses(Desk& desk) {
  const std::vector<Intent> wishes = desk.next_open(kPauseIntent, kWishesMax);
  const std::vector<std::optional<Job>> jobs = jobs_of(desk, wishes);
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const Intent& wish = wishes[i];
    const std::optional<Job>& job = jobs[i];
    if (!job || !job->state().is_open())
      desk.store.intents().settle(wish.id, IntentState::failed, "ended", desk.now());
    else if (const auto found = desk.held.find(wish.job); found != desk.held.end())
      stop(desk, found->second, Leftovers::keep, wish);
    else if (!job->worker)  // Its worker has released it since the user asked.
      (void)desk.store.jobs().grant_pause(job->version, wish.id, desk.now());
  }
}

}  // namespace

void see_wishes(Desk& desk) {
  see_cancels(desk);
  see_pauses(desk);
  hear_users(desk);
}

void see_cancels(Desk& desk) {
  const std::vector<Intent> cancels = desk.next_open(kCancelIntent, kWishesMax);
  const std::vector<std::optional<Job>> jobs = jobs_of(desk, cancels);
  std::vector<Job> paused;
  for (std::size_t i = 0; i < cancels.size(); ++i) {
    const Intent& cancel = cancels[i];
    const std::optional<Job>& job = jobs[i];
    if (!job || !job->state().is_open()) {
      desk.store.intents().settle(cancel.id, IntentState::failed, "ended", desk.now());
      continue;
    }
    if (!can_cancel(*job)) {
      refuse_cancel(desk, cancel.id);
      continue;
    }
    if (const auto found = desk.held.find(cancel.job); found != desk.held.end())
      stop(desk, found->second, Leftovers::remove, cancel);
    else if (job->paused && desk.client_work(*job))
      paused.push_back(*job);
    else if (ClientWork* client = desk.client_work(*job))
      client->hasten(*job, cancel.id);
    else if (!job->worker && !job->state().is_at_client())  // Its worker has released it.
      desk.ask(*job, answer_cancel(), settle_cancel(desk, cancel.id),
               refuse_unless_stale(desk, cancel.id));
  }
  stop_paused(desk, paused);
}

void refuse_cancel(Desk& desk, IntentId wish) {
  desk.store.intents().settle(wish, IntentState::failed, "cannot_cancel", desk.now());
}

Desk::Then settle_cancel(Desk& desk, IntentId wish) {
  return [&desk, wish](const JobVersion&) {
    desk.store.intents().settle(wish, IntentState::done, "stopped", desk.now());
  };
}

void end_stopping(Desk& desk) {
  for (auto it = desk.held.begin(); it != desk.held.end();) {
    Held& held = (it++)->second;  // Advances first: the job may be dropped.
    if (held.stopping) end_stopping(desk, held);
  }
}

void stop_and_keep(Desk& desk, Held& held) {
  if (held.was_told(Leftovers::keep)) return;
  tell(desk, held, {.until = desk.clock.steady() + kStopWithin, .leftovers = Leftovers::keep});
}

namespace {

// A job that came to its end may have left parts for a retry, until its user deletes it.
bool may_go_on(const Job& job) { return job.state().end == End::good && !job.hidden_at; }

}  // namespace

void see_clears(Desk& desk, const std::function<std::optional<Time>(Millis age)>& before) {
  if (desk.is_restored()) return;
  const std::vector<Intent> clears = desk.next_open(kClearIntent, kClearsMax);
  if (clears.empty()) return;
  const std::optional<Time> old = before(kPartsKept);
  for (const std::optional<Job>& job : jobs_of(desk, clears)) {
    if (!job || job->state().is_open()) continue;
    if (may_go_on(*job) && !(old && job->moved_at < *old)) continue;
    Handler* handler = desk.handler(*job->version.lifecycle);
    if (ItemWork* items = handler ? handler->item_work() : nullptr) items->clear(*job);
  }
}

void see_cleared(Desk& desk, JobId job) {
  if (const auto clear = desk.store.intents().find_open(job, kClearIntent))
    desk.store.intents().settle(clear->id, IntentState::done, "cleared", desk.now());
}

}  // namespace haul::flow

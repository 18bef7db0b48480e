#include "flow/worker/desk.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/ensure.h"
#include "base/planted_bug.h"
#include "flow/worker/handler.h"

namespace haul::flow {
namespace {

constexpr int kRoundsMax = 64;  // An answer may queue the next move; no lifecycle has this many.
constexpr std::size_t kGroupMax = 4'000;
constexpr Millis kRefusedWait{10'000};  // Until the next attempt at a move that was refused.

}  // namespace

Desk::Desk(Store& its_store, const Clock& its_clock, Random& its_random,
           const Settings& its_settings, WorkerId its_worker, Inbox& its_inbox)
    : store{its_store},
      clock{its_clock},
      random{its_random},
      settings{its_settings},
      worker{its_worker},
      inbox{its_inbox},
      host_slots{its_store.limits(), its_clock, its_worker, its_settings.host},
      duties{its_store, its_clock, its_settings.beat_every} {}

Desk::~Desk() = default;

Handler* Desk::handler(const Lifecycle& lifecycle) const {
  for (const auto& each : handlers)
    if (&each->lifecycle() == &lifecycle) return each.get();
  return nullptr;
}

ClientWork* Desk::client_work(const Job& job) const {
  Handler* its = handler(*job.version.lifecycle);
  return its && job.state().is_at_client() ? its->client_work() : nullptr;
}

bool Desk::is_ready(const Lifecycle& lifecycle, std::string_view request) const {
  return find_work(work, lifecycle) &&
         not_ready(work, lifecycle, engine_in(lifecycle, request)).empty();
}

void Desk::ask(const Job& job, const Verdict& verdict, Then then, Otherwise otherwise) {
  JobVersion version = job.version;
  for (std::size_t i = 0; i < verdict.moves.size(); ++i) {
    const WantedMove& move = verdict.moves[i];
    const bool last = i + 1 == verdict.moves.size();
    const bool leased = version.lifecycle->find(version.state)->is_leased();
    Ask ask{.version = version,
            .on = move.on,
            .by = move.by,
            .worker = leased && move.by == By::worker ? worker : WorkerId{},
            .reason = move.reason,
            .detail = move.detail,
            .proof = move.proof,
            .holds = move.holds,
            .result = move.result,
            .assets = move.assets,
            .delivery = move.delivery,
            .audit = move.audit,
            .refunds = move.refunds};
    if (move.due_after) ask.due_at = now() + *move.due_after;
    version = after_move(version, move.on);
    asking_.insert(version.id);
    queue_.push_back({std::move(ask), last ? std::exchange(then, {}) : Then{},
                      i == 0 ? std::exchange(otherwise, {}) : Otherwise{}});
  }
  if (verdict.release_after && verdict.moves.empty())
    release(job, verdict.release_reason, *verdict.release_after, verdict.release_detail);
}

void Desk::flush() {
  write_observations();
  for (int round = 0; round < kRoundsMax && !queue_.empty(); ++round) {
    std::vector<Queued> group = std::exchange(queue_, {});
    if (group.size() > kGroupMax) {
      queue_.assign(std::make_move_iterator(group.begin() + kGroupMax),
                    std::make_move_iterator(group.end()));
      group.erase(group.begin() + kGroupMax, group.end());
    }
    send(group);
  }
}

// If the store throws, it has granted nothing: the asks go back to the queue for the next flush.
void Desk::send(std::vector<Queued>& group) {
  std::vector<Ask> asks;
  asks.reserve(group.size());
  for (const Queued& queued : group) asks.push_back(queued.ask);
  std::vector<MoveAnswer> answers;
  try {
    answers = store.jobs().move(asks, now());
  } catch (...) {
    queue_.insert(queue_.begin(), std::make_move_iterator(group.begin()),
                  std::make_move_iterator(group.end()));
    throw;
  }
  ensure(answers.size() == group.size(), "the store answers every move");
  for (const Ask& each : asks) asking_.erase(each.version.id);
  // The moves are committed. If the store fails in one answer, the other jobs still get theirs.
  std::exception_ptr failure;
  for (std::size_t i = 0; i < group.size(); ++i) {
    try {
      answer(group[i], answers[i]);
    } catch (const StoreFault&) {
      doubtful.insert(group[i].ask.version.id);
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void Desk::answer(Queued& queued, const MoveAnswer& answer) {
  const JobVersion& asked = queued.ask.version;
  const JobId id = asked.id;
  const auto found = held.find(id);
  if (!answer) {
    if (queued.otherwise) return queued.otherwise(answer.error());
    return give_back_if_held(asked, answer.error());
  }
  if (found != held.end()) {
    found->second.job.version = *answer;
    const State& state = *answer->lifecycle->find(answer->state);
    if (!state.is_leased()) drop(id, state.is_open() ? Leftovers::keep : Leftovers::remove);
  }
  if (queued.then) queued.then(*answer);
}

Observation Desk::observation_of(const Job& job, const Observed& seen) {
  Observation observation{.version = job.version,
                          .worker = job.worker,
                          .handle = seen.handle,
                          .reason = seen.reason,
                          .detail = seen.detail,
                          .missing_since = {},
                          .unless_paused = seen.unless_paused};
  if (seen.look_after && !planted(PlantedBug::starving_order))
    observation.due_at = now() + *seen.look_after;
  if (seen.mark == Mark::clear && job.missing_since)
    observation.missing_since = std::optional<Time>{};
  if (seen.mark == Mark::set) observation.missing_since = std::optional{now()};
  if (seen.wait != HeldWait::keep) observation.waits = seen.wait == HeldWait::begins;
  return observation;
}

bool Desk::observe(const Job& job, const Observed& seen) {
  const Observation observation = observation_of(job, seen);
  const std::vector<bool> written = store.jobs().observe({&observation, 1}, now());
  ensure(written.size() == 1, "the store answers every observation");
  return written.front();
}

void Desk::observe_later(const Job& job, const Observed& seen) {
  observations_.push_back(observation_of(job, seen));
  asking_.insert(job.version.id);
  if (observations_.size() >= kGroupMax) write_observations();
}

std::vector<bool> Desk::observe_all(std::span<const std::pair<Job, Observed>> seen) {
  std::vector<Observation> rows;
  rows.reserve(seen.size());
  for (const auto& [job, observed] : seen) rows.push_back(observation_of(job, observed));
  if (rows.empty()) return {};
  std::vector<bool> written = store.jobs().observe(rows, now());
  ensure(written.size() == rows.size(), "the store answers every observation");
  return written;
}

// If the store throws, the observations are lost; the next look at the jobs writes them again.
void Desk::write_observations() {
  if (observations_.empty()) return;
  const std::vector<Observation> rows = std::exchange(observations_, {});
  for (const Observation& each : rows) asking_.erase(each.version.id);
  for (const Queued& queued : queue_) asking_.insert(queued.ask.version.id);
  store.jobs().observe(rows, now());
}

void Desk::hold_service(const Lifecycle& lifecycle, const Fault& why, std::string_view part) {
  const Millis wait = settings.environment_wait;
  if (const LifecycleWork* its = find_work(work, lifecycle))
    its->hold->begin(
        {.why = why, .until = clock.steady() + wait, .until_at = now() + wait, .part = part});
}

void Desk::hold_service_for(const Lifecycle& lifecycle, const Fault& why, Millis wait,
                            std::string_view part) {
  if (const LifecycleWork* its = find_work(work, lifecycle))
    its->hold->begin({.why = why,
                      .until = clock.steady() + wait,
                      .until_at = now() + wait,
                      .ends = ServiceHold::Ends::by_time,
                      .part = part});
}

void Desk::release_service(const Lifecycle& lifecycle, std::string_view part) {
  if (const LifecycleWork* its = find_work(work, lifecycle)) its->hold->end(part);
}

void Desk::release(const Job& job, const std::string& reason, Millis after,
                   const std::string& detail) {
  const Release back{.version = job.version,
                     .worker = worker,
                     .reason = reason,
                     .due_at = now() + after,
                     .detail = detail};
  store.jobs().release({&back, 1}, now());
  drop(job.version.id);
}

void Desk::give_back_if_held(const JobVersion& asked, const Refusal& why) {
  const auto found = held.find(asked.id);
  if (found == held.end()) return;
  const JobVersion& ours = found->second.job.version;
  if (ours.fence == asked.fence && ours.seq == asked.seq) give_back(found->second.job, why);
}

void Desk::give_back(const Job& job, const Refusal& why) {
  release(job, why.code, kRefusedWait, why.detail);
}

void Desk::wait(Held& held_job, const std::string& reason, Millis after,
                const std::string& detail) {
  const Job& job = held_job.job;
  if (held.size() > settings.held_max / 2) return release(job, reason, after, detail);
  observe_later(
      job, {.look_after = after, .reason = reason, .detail = detail, .wait = HeldWait::begins});
  held_job.again_at = clock.steady() + after;
}

void Desk::drop(JobId job, Leftovers leftovers) {
  const auto found = held.find(job);
  if (found == held.end()) return;
  Held& leaving = found->second;
  Handler& its = handler(leaving);
  if (!leaving.was_told(leftovers)) its.stop(leaving, leftovers);
  if (its.needs_answer(leaving)) its.abandon(leaving);
  lanes.end(leaving.job.lane);
  held.erase(found);
}

Order Desk::order(const Held& held_job) const { return order(held_job.job, held_job.request); }

Order Desk::order(const Job& job, SharedText request) const {
  ensure(job.version.id && !store.identity().id().empty(), "an order names its store and its job");
  return {.store = store.identity().id(),
          .job = job.version.id,
          .fence = job.version.fence,
          .request = std::move(request),
          .handle = job.handle};
}

std::optional<Intent> Desk::begin(Held& held_job, const NewIntent& intent) {
  const auto begun = store.intents().begin(hold(held_job.job), intent, now());
  if (!begun) return std::nullopt;
  held_job.intent = begun->id;
  return *begun;
}

void Desk::settle(Held& held_job, IntentState state, const std::string& outcome) {
  if (!held_job.intent) return;
  store.intents().settle(*held_job.intent, state, outcome, now());
  held_job.intent.reset();
}

std::vector<Intent> Desk::next_open(const std::string& kind, std::size_t limit) {
  IntentId& last = looked_at_[kind];
  std::vector<Intent> some = store.intents().open(kind, limit, last);
  last = some.size() < limit ? IntentId{} : some.back().id;
  return some;
}

}  // namespace haul::flow

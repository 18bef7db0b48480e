#include "flow/desk.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/plant.h"

namespace haul {
namespace {

constexpr int kRoundsMax = 64;  // An answer may queue the next move; no lifecycle has this many.
constexpr std::size_t kGroupMax = 4'000;
constexpr std::size_t kIntentsMax = 1'000;

}  // namespace

Desk::Desk(Store& its_store, const Outside& its_outside, const Clock& its_clock, Random& its_random,
           const Settings& its_settings, WorkerId its_worker, Inbox& its_inbox)
    : store{its_store},
      outside{its_outside},
      clock{its_clock},
      random{its_random},
      settings{its_settings},
      worker{its_worker},
      inbox{its_inbox},
      places{its_store.limits(), its_clock, its_worker, its_settings.host} {}

void Desk::wish(const Job& job, const Verdict& verdict, Then then, Otherwise otherwise) {
  Seen seen = job.seen;
  for (std::size_t i = 0; i < verdict.wishes.size(); ++i) {
    const Wish& wish = verdict.wishes[i];
    const bool last = i + 1 == verdict.wishes.size();
    const bool leased = seen.lifecycle->find(seen.state)->is_leased();
    Ask ask{.seen = seen,
            .on = wish.on,
            .by = wish.by,
            .worker = leased && wish.by == By::worker ? worker : WorkerId{},
            .reason = wish.reason,
            .detail = wish.detail,
            .proof = wish.proof,
            .result = wish.result,
            .asset = wish.asset};
    if (wish.due_after) ask.due_at = now() + *wish.due_after;
    seen = after_move(seen, wish.on);
    asking_.insert(seen.id);
    queue_.push_back({std::move(ask), last ? std::exchange(then, {}) : Then{},
                      i == 0 ? std::exchange(otherwise, {}) : Otherwise{}});
  }
  if (verdict.release_after && verdict.wishes.empty())
    release(job, verdict.release_reason, *verdict.release_after);
}

void Desk::flush() {
  write_notes();
  for (int round = 0; round < kRoundsMax && !queue_.empty(); ++round) {
    std::vector<Queued> group = std::exchange(queue_, {});
    if (group.size() > kGroupMax) {
      queue_.assign(std::make_move_iterator(group.begin() + kGroupMax),
                    std::make_move_iterator(group.end()));
      group.erase(group.begin() + kGroupMax, group.end());
    }
    ask(group);
  }
}

// If the store throws, it has granted nothing: the asks go back to the queue for the next flush.
void Desk::ask(std::vector<Queued>& group) {
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
  for (const Ask& each : asks) asking_.erase(each.seen.id);
  // The moves are committed. If the store fails in one answer, the other jobs still get theirs.
  std::exception_ptr failure;
  for (std::size_t i = 0; i < group.size(); ++i) {
    try {
      answer(group[i], answers[i]);
    } catch (const StoreFault&) {
      doubtful.insert(group[i].ask.seen.id);
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void Desk::answer(Queued& queued, const MoveAnswer& answer) {
  const JobId id = queued.ask.seen.id;
  if (!answer) {
    if (queued.otherwise)
      queued.otherwise(answer.error());
    else
      drop(id);
    return;
  }
  if (const auto found = held.find(id); found != held.end()) {
    found->second.job.seen = *answer;
    const State& state = *answer->lifecycle->find(answer->state);
    if (!state.is_leased()) drop(id, state.is_open() ? Parts::keep : Parts::remove);
  }
  if (queued.then) queued.then(*answer);
}

Observation Desk::observed(const Job& job, const Note& note) {
  Observation seen{.seen = job.seen,
                   .worker = job.worker,
                   .handle = note.handle,
                   .reason = note.reason,
                   .detail = note.detail};
  if (note.look_after && !planted(Plant::starving_order)) seen.due_at = now() + *note.look_after;
  if (note.mark == Mark::clear) {
    marks.erase(job.seen.id);
    if (job.missing_since) seen.missing_since = std::optional<Time>{};
  }
  if (note.mark == Mark::set) {
    marks.insert_or_assign(job.seen.id, KnownMark{now(), clock.steady()});
    seen.missing_since = std::optional{now()};
  }
  return seen;
}

bool Desk::note(const Job& job, const Note& note) {
  const Observation seen = observed(job, note);
  return store.jobs().observe({&seen, 1}, now()).front();
}

void Desk::note_later(const Job& job, const Note& note) {
  notes_.push_back(observed(job, note));
  asking_.insert(job.seen.id);
  if (notes_.size() >= kGroupMax) write_notes();
}

std::vector<bool> Desk::note_all(std::span<const std::pair<Job, Note>> notes) {
  std::vector<Observation> all;
  all.reserve(notes.size());
  for (const auto& [job, note] : notes) all.push_back(observed(job, note));
  return all.empty() ? std::vector<bool>{} : store.jobs().observe(all, now());
}

// If the store throws, the notes are lost; the next look at the jobs writes them again.
void Desk::write_notes() {
  if (notes_.empty()) return;
  const std::vector<Observation> notes = std::exchange(notes_, {});
  for (const Observation& each : notes) asking_.erase(each.seen.id);
  for (const Queued& queued : queue_) asking_.insert(queued.ask.seen.id);
  store.jobs().observe(notes, now());
}

void Desk::release(const Job& job, const std::string& reason, Millis after,
                   const std::string& detail) {
  const Release back{.seen = job.seen,
                     .worker = worker,
                     .reason = reason,
                     .due_at = now() + after,
                     .detail = detail};
  store.jobs().release({&back, 1}, now());
  drop(job.seen.id);
}

void Desk::drop(JobId job, Parts parts) {
  const auto found = held.find(job);
  if (found == held.end()) return;
  stop_transfers(found->second, parts);
  lanes.end(found->second.job.lane);
  held.erase(found);
}

void Desk::stop_transfers(Held& held_job, Parts parts) {
  Fetch& fetch = held_job.fetch;
  Order stopped = order(held_job);
  if (fetch.planning) {
    stopped.start = fetch.plan_start;
    outside.http.stop(stopped, parts, inbox);
    places.give(fetch.plan_start);
    fetch.planning = false;
  }
  fetch.list_again.reset();
  for (const auto& [n, transfer] : fetch.at_work) {
    stopped.item = n;
    stopped.key = transfer.item.key;
    stopped.start = transfer.start;
    outside.http.stop(stopped, parts, inbox);
    places.give(transfer.start);
  }
  if (parts == Parts::remove) remove_parts(held_job);
}

// Removes the parts of items that are not in transfer. An item that left a part has a checkpoint.
void Desk::remove_parts(const Held& held_job) {
  const auto remove = [&](const Item& item) {
    if (item.checkpoint.empty()) return;
    Order order_left = order(held_job);
    order_left.item = item.n;
    order_left.key = item.key;
    order_left.checkpoint = item.checkpoint;
    outside.http.stop(order_left, Parts::remove, inbox);
  };
  for (const auto& [until, item] : held_job.fetch.waiting) remove(item);
  for (const auto& [host, items] : held_job.fetch.ready) std::ranges::for_each(items, remove);
}

Order Desk::order(const Held& held_job) const { return order(held_job.job, held_job.request); }

Order Desk::order(const Job& job, SharedText request) const {
  return {.store = store.identity().id(),
          .job = job.seen.id,
          .fence = job.seen.fence,
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

std::optional<Intent> Desk::newest(JobId job, std::string_view kind) {
  std::optional<Intent> newest;
  for (Intent& intent : store.intents().of(job, kIntentsMax))
    if (intent.kind == kind) newest = std::move(intent);
  return newest;
}

}  // namespace haul

#include "flow/client/client_jobs.h"

#include <algorithm>
#include <utility>

#include "base/ensure.h"
#include "base/planted_bug.h"
#include "flow/worker/answer.h"
#include "flow/worker/stop.h"
#include "seam/not_configured.h"

namespace haul::flow {
namespace {

constexpr Millis kTogether{100};

// Marks the hand-overs of one life: a retry by the user raises the fence, so the count starts over.
std::string this_life(const Job& job) { return std::to_string(job.version.fence); }

// The round has already set the time of the next look, so the verdict's poll wait does not replace
// it.
void keep_turn(Desk& desk, const Job& job, Verdict& verdict) {
  const Millis poll = desk.settings.poll;
  if (verdict.observed && verdict.observed->look_after == poll)
    verdict.observed->look_after.reset();
  const Millis left = job.due_at.value_or(desk.now()) - desk.now();
  if (left <= Millis{0}) return;
  for (WantedMove& move : verdict.moves)
    if (move.due_after == poll) move.due_after = left;
}

std::vector<std::string_view> states_at_client(const Lifecycle& lifecycle) {
  std::vector<std::string_view> names;
  for (const State& state : lifecycle.states)
    if (state.is_at_client()) names.push_back(state.name);
  return names;
}

}  // namespace

// One pass over the due jobs. Turns of one cycle may be some milliseconds apart, because haul reads
// two clocks. When a new cycle begins, jobs that are due within kTogether go with it.
class ClientJobs::Round {
 public:
  explicit Round(ClientJobs& jobs) : jobs_{jobs}, desk_{jobs.desk_}, cycle_{jobs.cycle_} {}

  // The longest due first.
  std::vector<Job> due() const {
    return desk_.store.reader().due(std::string{jobs_.lifecycle_.name},
                                    desk_.now() + std::min(kTogether, desk_.settings.poll / 10),
                                    desk_.settings.poll_max, states_at_client(jobs_.lifecycle_));
  }

  bool is_too_early(const Job& job) const { return job.due_at > desk_.now() && !begun_; }

  // Sets the next look. False if it is not the job's turn yet. S0-19, S0-20: a cycle asks the
  // client about a limited number of jobs.
  bool take_turn(Due& due) {
    const bool is_early = due.job.due_at > desk_.now();
    if (due.act != DueAct::look) {
      due.next_look = desk_.settings.poll;
      return !is_early;
    }
    const Steady now = desk_.clock.steady();
    if (cycle_.begin_if_due(now)) {
      begun_ = true;
      cycle_.spread_over(jobs_.open_at_client());
    }
    if (cycle_.take_turn()) {
      due.next_look = cycle_.next_turn(now);
      return true;
    }
    if (is_early) return false;
    due.act = DueAct::put_off;
    due.next_look = std::max(cycle_.postponed_turn(now), kAhead);
    return true;
  }

 private:
  ClientJobs& jobs_;
  Desk& desk_;
  Cycle& cycle_;
  bool begun_ = false;
};

ClientJobs::ClientJobs(Desk& desk, RemoteEngine& client, const Lifecycle& lifecycle,
                       Complete complete)
    : desk_{desk},
      client_{client},
      lifecycle_{lifecycle},
      complete_{std::move(complete)},
      duty_{"client_" + std::string{lifecycle.name}},
      cycle_{desk.settings.poll, desk.settings.poll_max} {}

// Writes the next looks first: whatever happens to this one, the next job gets its turn.
void ClientJobs::look() {
  if (!desk_.has_duty(duty_)) return forget_all();
  const std::vector<Due> turns = take_turns();
  // Another worker may have taken the duty since this one last asked for it.
  if (turns.empty() || !desk_.still_has_duty(duty_)) return;
  const std::vector<bool> written = put_off(turns);
  ensure(written.size() == turns.size(), "every turn is written or refused");
  std::vector<Order> looks;
  for (std::size_t i = 0; i < turns.size(); ++i)
    if (written[i]) act_on(turns[i], looks);
  if (!looks.empty()) client_.look(looks, desk_.inbox);
}

std::vector<ClientJobs::Due> ClientJobs::take_turns() {
  Round round{*this};
  std::vector<Job> found = round.due();
  if (found.empty() || round.is_too_early(found.front())) return {};
  std::vector<Due> turns;
  for (ClientJob& read : read_client_jobs(desk_.store, std::move(found))) {
    if (round.is_too_early(read.job)) break;  // So are all that follow.
    Due due = due_of(std::move(read));
    if (round.take_turn(due)) turns.push_back(std::move(due));
  }
  return turns;
}

std::vector<bool> ClientJobs::put_off(std::span<const Due> turns) {
  if (planted(PlantedBug::starving_order)) return std::vector<bool>(turns.size(), true);
  std::vector<std::pair<Job, Observed>> looks;
  looks.reserve(turns.size());
  for (const Due& due : turns)
    looks.emplace_back(due.job, Observed{.look_after = due.next_look, .unless_paused = true});
  return desk_.observe_all(looks);
}

void ClientJobs::act_on(const Due& due, std::vector<Order>& looks) {
  const Intent* cancel = due.past.cancel ? &*due.past.cancel : nullptr;
  if (cancel) cancels_[due.job.version.id] = cancel->id;
  switch (due.act) {
    case DueAct::stop:
      return stop_one(due.job, due.request);
    case DueAct::cancel:
      ensure(cancel && due.job.handle.empty(), "only a wish cancels, and no transfer");
      return grant_cancel(due.job, *cancel);
    case DueAct::hand_over:
      return hand_over(due);
    case DueAct::look:
      looks.push_back(desk_.order(due.job, due.request));
      return;
    case DueAct::put_off:
      return;
  }
}

void ClientJobs::see(const ClientJob& read, const What& what) {
  const Job& job = read.job;
  const Past past = past_of(read);
  show_progress(job, what);
  if (past.cancel) return see_cancelling(job, *past.cancel, what);
  if (job.handle.empty()) return see_hand_over(read, past, what);
  if (const auto* accepted = std::get_if<Accepted>(&what)) {  // The client has renamed it.
    if (accepted->handle != job.handle) desk_.observe(job, {.handle = accepted->handle});
    return;
  }
  carry_out(read, judge_client(view_of(job), what, desk_.settings));
}

void ClientJobs::stop(std::span<const Job> jobs) {
  for (const ClientJob& each : read_client_jobs(desk_.store, {jobs.begin(), jobs.end()})) {
    const Past past = past_of(each);
    if (past.cancel && !past.was_given)
      grant_cancel(each.job, *past.cancel);
    else
      stop_one(each.job, each.request);
  }
}

// cancel() makes the job due, but a look or a sight that has read the job before the cancel may
// have put it off since.
void ClientJobs::hasten(const Job& job, IntentId cancel) {
  const auto known = cancels_.find(job.version.id);
  const bool is_known = known != cancels_.end() && known->second == cancel;
  if (is_known || !(job.due_at > desk_.now()) || !desk_.has_duty(duty_)) return;
  if (desk_.observe(job, {.look_after = Millis{0}})) cancels_[job.version.id] = cancel;
}

void ClientJobs::stop_one(const Job& job, const std::string& request) {
  client_.stop(desk_.order(job, request), Leftovers::remove, desk_.inbox);
}

std::vector<ClientTransfer> ClientJobs::transfers() const {
  std::vector<ClientTransfer> all;
  all.reserve(moving_.size());
  for (const auto& [id, transfer] : moving_) all.push_back(transfer);
  return all;
}

ClientJobs::Past ClientJobs::past_of(const ClientJob& read) {
  Past past{.was_given = !read.job.handle.empty()};
  for (const Intent& intent : read.intents) {
    const bool open = intent.state == IntentState::open;
    const bool is_hand_over = intent.kind == kHandOverIntent;
    if (is_hand_over) past.was_given = true;  // One that failed may have had its effect.
    if (is_hand_over && intent.state == IntentState::failed && intent.data == this_life(read.job))
      ++past.failed;
    if (is_hand_over && open) past.hand_over = intent;
    if (intent.kind == kCancelIntent && open) past.cancel = intent;
  }
  return past;
}

ClientJobs::Due ClientJobs::due_of(ClientJob read) const {
  Past past = past_of(read);
  const DueAct act = judge_due({.job = read.job,
                                .cancel_asked = past.cancel.has_value(),
                                .was_given = past.was_given,
                                .is_ready = desk_.is_ready(lifecycle_, read.request),
                                .is_restored = desk_.is_restored()});
  return {.job = std::move(read.job),
          .request = std::move(read.request),
          .past = std::move(past),
          .act = act};
}

ClientView ClientJobs::view_of(const Job& job) {
  ClientView view{.job = job, .now = desk_.now(), .marked_for = {}};
  if (!job.missing_since) return view;
  // A mark that this process did not set counts from when the process first saw it.
  const KnownMark met{*job.missing_since, desk_.clock.steady()};
  KnownMark& known = marks_.try_emplace(job.version.id, met).first->second;
  if (known.mark != met.mark) known = met;
  view.marked_for = desk_.clock.steady() - known.since;
  return view;
}

void ClientJobs::carry_out(const ClientJob& read, Verdict verdict) {
  const Job& job = read.job;
  if (complete_) complete_(read, verdict);
  keep_turn(desk_, job, verdict);
  if (verdict.observed) {
    see_mark(job, *verdict.observed);
    desk_.observe_later(job, *verdict.observed);
  }
  desk_.ask(job, verdict, [this](const JobVersion& after) {
    if (!after.lifecycle->find(after.state)->is_at_client()) forget(after.id);
  });
}

void ClientJobs::see_mark(const Job& job, const Observed& seen) {
  if (seen.mark == Mark::clear) marks_.erase(job.version.id);
  if (seen.mark == Mark::set)
    marks_.insert_or_assign(job.version.id, KnownMark{desk_.now(), desk_.clock.steady()});
}

// Keeps the progress for display, only while bytes move.
void ClientJobs::show_progress(const Job& job, const What& what) {
  const auto* moving = std::get_if<Moving>(&what);
  if (!moving) {
    moving_.erase(job.version.id);
    return;
  }
  moving_[job.version.id] = {.job = job.version.id,
                             .owner = job.owner,
                             .have = moving->have,
                             .size = moving->size,
                             .speed = moving->speed.value_or(0)};
}

// The client recognises the job's tag, so haul can repeat a hand-over whose outcome is unknown.
void ClientJobs::hand_over(const Due& due) {
  const Job& job = due.job;
  if (!due.past.hand_over && !planted(PlantedBug::hand_over_unwritten) &&
      !desk_.store.intents().record(
          job.version.id, {.kind = kHandOverIntent, .data = this_life(job), .unless_paused = true},
          desk_.now()))
    return;
  client_.start(desk_.order(job, due.request), desk_.inbox);
}

void ClientJobs::see_hand_over(const ClientJob& read, const Past& past, const What& what) {
  if (const auto* accepted = std::get_if<Accepted>(&what)) {
    if (past.hand_over)
      desk_.store.intents().settle(past.hand_over->id, IntentState::done, accepted->handle,
                                   desk_.now());
    desk_.observe(read.job, {.look_after = Millis{0}, .handle = accepted->handle});
    return;
  }
  if (const auto* failed = std::get_if<Failed>(&what)) {
    const bool counts = failed->fault.kind != FaultKind::environment;
    if (past.hand_over && counts)
      desk_.store.intents().settle(past.hand_over->id, IntentState::failed, failed->fault.code,
                                   desk_.now());
    ClientView view = view_of(read.job);
    view.failed_hand_overs = past.failed + (counts ? 1 : 0);
    carry_out(read, judge_hand_over(view, *failed, desk_.settings));
  }
}

// Only the client's confirmation counts. If haul has no client any more, `why` says so (Z-30).
void ClientJobs::see_cancelling(const Job& job, const Intent& cancel, const What& what) {
  if (std::holds_alternative<Stopped>(what)) return grant_cancel(job, cancel);
  const auto* failed = std::get_if<Failed>(&what);
  if (!failed || failed->fault.code != kNotConfigured || job.reason == kNotConfigured) return;
  desk_.observe_later(job, {.reason = failed->fault.code, .detail = failed->fault.detail});
}

// S0-11, S0-12: the client has stopped the transfer, or never got it, so the job can be cancelled.
// If the job has changed meanwhile, the wish stays open, and the next look judges it again.
void ClientJobs::grant_cancel(const Job& job, const Intent& cancel) {
  ensure(cancel.job == job.version.id && cancel.kind == kCancelIntent, "a wish is about its job");
  if (!can_cancel(job)) return refuse_cancel(desk_, cancel.id);
  desk_.ask(
      job, answer_cancel(Guard::engine_confirmed),
      [this, settle = settle_cancel(desk_, cancel.id)](const JobVersion& after) {
        forget(after.id);
        settle(after);
      },
      [this, id = cancel.id](const Refusal& why) {
        if (why.kind != RefusalKind::stale) refuse_cancel(desk_, id);
      });
}

void ClientJobs::forget(JobId job) {
  marks_.erase(job);
  moving_.erase(job);
  cancels_.erase(job);
}

void ClientJobs::forget_all() {
  marks_.clear();
  moving_.clear();
  cancels_.clear();
}

std::size_t ClientJobs::open_at_client() {
  std::int64_t open = 0;
  for (const StateCount& count : desk_.store.reader().tally(UserId{}))
    if (count.lifecycle == &lifecycle_ && lifecycle_.find(count.state)->is_at_client())
      open += count.jobs;
  return static_cast<std::size_t>(open);
}

}  // namespace haul::flow

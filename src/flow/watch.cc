// Book and media: an outside client fetches. haul hands new jobs to it and asks about the others,
// at most a hundred per cycle, the longest waiting first.

#include <algorithm>

#include "base/json.h"
#include "base/plant.h"
#include "flow/judge.h"
#include "flow/restored.h"
#include "flow/verbs.h"

namespace haul {
namespace {

constexpr const char* kHandOver = "hand_over";
constexpr const char* kCancel = "cancel";
constexpr std::size_t kIntentsMax = 1'000;

// What the job's intents say: how many hand-overs failed, and which hand-over or cancel is open.
struct Past {
  int failed = 0;
  std::optional<Intent> hand_over;
  std::optional<Intent> cancel;
};

// Marks the tries of one attempt: a retry by the user raises the attempt, so the count starts over.
std::string this_attempt(const Job& job) { return std::to_string(job.seen.attempt); }

Past read_past(Desk& desk, const Job& job) {
  Past past;
  for (const Intent& intent : desk.store.intents().of(job.seen.id, kIntentsMax)) {
    const bool open = intent.state == IntentState::open;
    if (intent.kind == kHandOver && intent.state == IntentState::failed &&
        intent.data == this_attempt(job))
      ++past.failed;
    if (intent.kind == kHandOver && open) past.hand_over = intent;
    if (intent.kind == kCancel && open) past.cancel = intent;
  }
  return past;
}

std::string field(const std::string& request, std::string_view name) {
  if (const auto fields = read_object(request))
    for (const JsonField& each : *fields)
      if (each.name == name && !each.is_null) return each.text;
  return {};
}

// The judge knows the file that arrived. The request says which book it is.
void name_asset(Desk& desk, const Job& job, Verdict& verdict) {
  for (Wish& wish : verdict.wishes) {
    if (!wish.asset) continue;
    const std::string request = desk.store.reader().request(job.seen.id).value_or("{}");
    wish.asset->book = field(request, "book_id");
    wish.asset->title = field(request, "title");
    wish.asset->media_type = field(request, "media_type");
    wish.asset->source_url = field(request, "source_url");
    wish.asset->source = field(request, "source");
  }
}

ClientView view_of(Desk& desk, const Job& job) {
  ClientView view{.job = job, .now = desk.now(), .marked_for = {}};
  if (!job.missing_since) return view;
  // A mark that this process did not set counts from when the process first saw it.
  const KnownMark met{*job.missing_since, desk.clock.steady()};
  KnownMark& known = desk.marks.try_emplace(job.seen.id, met).first->second;
  if (known.mark != met.mark) known = met;
  view.marked_for = desk.clock.steady() - known.since;
  return view;
}

// The round has already set the time of the next look, so the verdict's poll wait does not replace
// it.
void keep_turn(Desk& desk, const Job& job, Verdict& verdict) {
  const Millis poll = desk.settings.poll;
  if (verdict.note && verdict.note->look_after == poll) verdict.note->look_after.reset();
  const Millis left = job.due_at.value_or(desk.now()) - desk.now();
  if (left <= Millis{0}) return;
  for (Wish& wish : verdict.wishes)
    if (wish.due_after == poll) wish.due_after = left;
}

void carry_out(Desk& desk, const Job& job, Verdict verdict) {
  name_asset(desk, job, verdict);
  keep_turn(desk, job, verdict);
  if (verdict.note) desk.note_later(job, *verdict.note);
  desk.wish(job, verdict);
}

// Keeps the progress for display, only while bytes move.
void show_progress(Desk& desk, const Job& job, const What& what) {
  const auto* moving = std::get_if<Moving>(&what);
  if (!moving) {
    desk.at_client.erase(job.seen.id);
    return;
  }
  desk.at_client[job.seen.id] = {.owner = job.owner,
                                 .have = moving->have,
                                 .size = moving->size,
                                 .speed = moving->speed.value_or(0)};
}

// The client recognises the job's tag, so haul can repeat a hand-over whose outcome is unknown.
void hand_over(Desk& desk, const Job& job, const Past& past) {
  if (!past.hand_over && !planted(Plant::hand_over_unwritten) &&
      !desk.store.intents().wish(
          job.seen.id, {.kind = kHandOver, .repeat = IntentClass::keyed, .data = this_attempt(job)},
          desk.now()))
    return;
  const auto request = desk.store.reader().request(job.seen.id);
  desk.outside.client.start(desk.order(job, request.value_or("{}")), desk.inbox);
}

// A0-7: the request tells the client whether to delete the files too.
void stop(Desk& desk, const Job& job) {
  const auto request = desk.store.reader().request(job.seen.id);
  desk.outside.client.stop(desk.order(job, request.value_or("{}")), Parts::remove, desk.inbox);
}

void see_hand_over(Desk& desk, const Job& job, const Past& past, const What& what) {
  if (const auto* accepted = std::get_if<Accepted>(&what)) {
    if (past.hand_over)
      desk.store.intents().settle(past.hand_over->id, IntentState::done, accepted->handle,
                                  desk.now());
    desk.note(job, {.look_after = Millis{0}, .handle = accepted->handle});
    return;
  }
  if (const auto* failed = std::get_if<Failed>(&what)) {
    const bool counts = failed->fault.kind != FaultKind::environment;
    if (past.hand_over && counts)
      desk.store.intents().settle(past.hand_over->id, IntentState::failed, failed->fault.code,
                                  desk.now());
    ClientView view = view_of(desk, job);
    view.failed_hand_overs = past.failed + (counts ? 1 : 0);
    carry_out(desk, job, judge_hand_over(view, failed->fault, desk.settings));
  }
}

// S0-11, S0-12: the client has stopped the transfer, so the job can be cancelled.
void see_stopped(Desk& desk, const Job& job, const Intent& cancel) {
  const Verdict verdict{.wishes = {{.on = On::cancel, .reason = "canceled", .by = By::user}}};
  desk.wish(job, verdict, [&desk, id = cancel.id](const Seen&) {
    desk.store.intents().settle(id, IntentState::done, "stopped", desk.now());
  });
}

// The states in which a client fetches the job.
std::vector<std::string_view> with_client(const Lifecycle& lifecycle) {
  std::vector<std::string_view> names;
  for (const State& state : lifecycle.states)
    if (state.is_open() && !state.is_leased() && state.step == Step::transfer)
      names.push_back(state.name);
  return names;
}

std::size_t open_at_client(Desk& desk, const Lifecycle& lifecycle) {
  std::int64_t open = 0;
  const std::vector<std::string_view> states = with_client(lifecycle);
  for (const StateCount& count : desk.store.reader().tally(UserId{}))
    if (count.lifecycle == &lifecycle && std::ranges::find(states, count.state) != states.end())
      open += count.jobs;
  return static_cast<std::size_t>(open);
}

// What to do now with a due job, and what its intents say.
struct Due {
  enum class Act : std::uint8_t { look, hand_over, stop, put_off } act = Act::look;
  Past past;
};

Due judge_due(Desk& desk, const Job& job) {
  Due due{.act = Due::Act::look, .past = read_past(desk, job)};
  if (desk.is_restored() && is_held_back(job, due.past.cancel.has_value()))
    due.act = Due::Act::put_off;
  else if (due.past.cancel && !planted(Plant::hand_over_after_cancel))
    due.act = Due::Act::stop;
  else if (job.handle.empty())
    due.act = Due::Act::hand_over;
  return due;
}

constexpr Millis kTogether{100};

// One pass over the due jobs of a lifecycle. Turns of one cycle may be some milliseconds apart,
// because haul reads two clocks. When a new cycle begins, jobs that are due within kTogether go
// with it.
class Round {
 public:
  Round(Desk& desk, const Lifecycle& lifecycle)
      : desk_{desk},
        lifecycle_{lifecycle},
        cycle_{desk.cycles.try_emplace(lifecycle.name, desk.settings.poll, desk.settings.poll_max)
                   .first->second} {}

  std::vector<Job> due() const {
    return desk_.store.reader().due(std::string{lifecycle_.name},
                                    desk_.now() + std::min(kTogether, desk_.settings.poll / 10),
                                    desk_.settings.poll_max, with_client(lifecycle_));
  }

  bool is_too_early(const Job& job) const { return job.due_at > desk_.now() && !begun_; }

  // Time until the next look at the job; nothing if it is not its turn yet. S0-19, S0-20: a look
  // needs a place in the cycle.
  std::optional<Millis> take_turn(const Job& job, Due& due) {
    const bool is_early = job.due_at > desk_.now();
    if (due.act != Due::Act::look)
      return is_early ? std::nullopt : std::optional{desk_.settings.poll};
    const Steady now = desk_.clock.steady();
    if (cycle_.turn(now)) {
      begun_ = true;
      cycle_.spread_over(open_at_client(desk_, lifecycle_));
    }
    if (cycle_.take()) return cycle_.next_turn(now);
    if (is_early) return std::nullopt;
    due.act = Due::Act::put_off;
    return std::max(cycle_.next_place(now), kAhead);
  }

 private:
  Desk& desk_;
  const Lifecycle& lifecycle_;
  Cycle& cycle_;
  bool begun_ = false;
};

}  // namespace

void watch_client(Desk& desk, const Lifecycle& lifecycle) {
  Round round{desk, lifecycle};
  std::vector<Job> due;
  std::vector<Due> acts;
  std::vector<std::pair<Job, Note>> notes;
  std::vector<Job> found = round.due();
  for (Job& job : found) {
    if (round.is_too_early(job)) break;  // So are all that follow.
    Due act = judge_due(desk, job);
    const auto after = round.take_turn(job, act);
    if (!after) continue;
    notes.emplace_back(job, Note{.look_after = after});
    acts.push_back(std::move(act));
    due.push_back(std::move(job));
  }
  // Write the next look first: whatever happens to this one, the next job gets its turn.
  const std::vector<bool> put_off =
      planted(Plant::starving_order) ? std::vector<bool>(due.size(), true) : desk.note_all(notes);
  std::vector<Order> orders;
  for (std::size_t i = 0; i < due.size(); ++i) {
    if (!put_off[i]) continue;
    switch (acts[i].act) {
      case Due::Act::stop:
        stop(desk, due[i]);
        break;
      case Due::Act::hand_over:
        hand_over(desk, due[i], acts[i].past);
        break;
      case Due::Act::look:
        orders.push_back(desk.order(due[i], {}));
        break;
      case Due::Act::put_off:
        break;
    }
  }
  if (!orders.empty()) desk.outside.client.look(orders, desk.inbox);
}

void see_client(Desk& desk, const Job& job, const What& what) {
  const Past past = read_past(desk, job);
  show_progress(desk, job, what);
  if (past.cancel) {
    if (std::holds_alternative<Stopped>(what)) see_stopped(desk, job, *past.cancel);
    return;  // Other sights do not count until the client confirms.
  }
  if (job.handle.empty()) return see_hand_over(desk, job, past, what);
  if (const auto* accepted = std::get_if<Accepted>(&what)) {  // The client has renamed it.
    if (accepted->handle != job.handle) desk.note(job, {.handle = accepted->handle});
    return;
  }
  carry_out(desk, job, judge_client(view_of(desk, job), what, desk.settings));
}

}  // namespace haul

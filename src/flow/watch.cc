// Book and media: a client fetches for us. New jobs are handed over, the others are asked about,
// at most a hundred at a time, the one that waited longest first.

#include "base/json.h"
#include "base/plant.h"
#include "flow/judge.h"
#include "flow/verbs.h"

namespace haul {
namespace {

constexpr const char* kHandOver = "hand_over";
constexpr const char* kCancel = "cancel";
constexpr std::size_t kIntentsMax = 1'000;

// How often handing over has failed, and whether a try or a wish to cancel is open.
struct Past {
  int failed = 0;
  std::optional<Intent> hand_over;
  std::optional<Intent> cancel;
};

// Tries of the same attempt: a retry by the user begins to count again.
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
      if (each.name == name) return each.text;
  return {};
}

// The judge knows what arrived; what it is for stands in the request.
void name_asset(Verdict& verdict, const std::string& request) {
  for (Wish& wish : verdict.wishes) {
    if (!wish.asset) continue;
    wish.asset->book = field(request, "book_id");
    wish.asset->title = field(request, "title");
    wish.asset->media_type = field(request, "media_type");
    wish.asset->source_url = field(request, "source_url");
    wish.asset->source = field(request, "source");
  }
}

ClientView view_of(Desk& desk, const Job& job, const std::string& request) {
  ClientView view{.job = job, .request = request, .now = desk.now(), .marked_for = {}};
  if (!job.missing_since) return view;
  // A mark that this process has not made itself counts from when it was first seen here.
  const KnownMark met{*job.missing_since, desk.clock.steady()};
  KnownMark& known = desk.marks.try_emplace(job.seen.id, met).first->second;
  if (known.mark != met.mark) known = met;
  view.marked_for = desk.clock.steady() - known.since;
  return view;
}

void carry_out(Desk& desk, const Job& job, Verdict verdict, const std::string& request) {
  name_asset(verdict, request);
  if (verdict.note) desk.note(job, *verdict.note);
  desk.wish(job, verdict);
}

// The add is keyed by its tag, so a try whose outcome is unknown can be made again.
void hand_over(Desk& desk, const Job& job, const Past& past) {
  if (!past.hand_over &&
      !desk.store.intents().wish(
          job.seen.id, {.kind = kHandOver, .repeat = IntentClass::keyed, .data = this_attempt(job)},
          desk.now()))
    return;
  const auto request = desk.store.reader().request(job.seen.id);
  desk.outside.client.start(desk.order(job, request.value_or("{}")), desk.inbox);
}

// A0-7: the client learns from the request whether the files go too.
void stop(Desk& desk, const Job& job) {
  const auto request = desk.store.reader().request(job.seen.id);
  desk.outside.client.stop(desk.order(job, request.value_or("{}")), Parts::remove, desk.inbox);
}

void see_hand_over(Desk& desk, const Job& job, const Past& past, const What& what) {
  const std::string request = desk.store.reader().request(job.seen.id).value_or("{}");
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
    ClientView view = view_of(desk, job, request);
    view.failed_hand_overs = past.failed + (counts ? 1 : 0);
    carry_out(desk, job, judge_hand_over(view, failed->fault, desk.settings), request);
  }
}

// S0-11, S0-12: the client has stopped it, so the user's wish is granted.
void see_stopped(Desk& desk, const Job& job, const Intent& cancel) {
  const Verdict verdict{.wishes = {{.on = On::cancel, .reason = "canceled", .by = By::user}}};
  desk.wish(job, verdict, [&desk, id = cancel.id](const Seen&) {
    desk.store.intents().settle(id, IntentState::done, "stopped", desk.now());
  });
}

// The states in which a client is at work for us.
std::vector<std::string_view> with_client(const Lifecycle& lifecycle) {
  std::vector<std::string_view> names;
  for (const State& state : lifecycle.states)
    if (state.is_open() && !state.is_leased() && state.step == Step::transfer)
      names.push_back(state.name);
  return names;
}

}  // namespace

void watch_client(Desk& desk, const Lifecycle& lifecycle) {
  const std::vector<Job> due = desk.store.reader().due(
      std::string{lifecycle.name}, desk.now(), desk.settings.poll_max, with_client(lifecycle));
  std::vector<Order> orders;
  for (const Job& job : due) {
    // Put off first: whatever becomes of this look, the next in line gets its turn.
    const bool put_off =
        planted(Plant::starving_order) || desk.note(job, {.look_after = desk.settings.poll});
    if (!put_off) continue;
    const Past past = read_past(desk, job);
    if (past.cancel)
      stop(desk, job);
    else if (job.handle.empty())
      hand_over(desk, job, past);
    else
      orders.push_back(desk.order(job, {}));
  }
  if (!orders.empty()) desk.outside.client.look(orders, desk.inbox);
}

void see_client(Desk& desk, const Job& job, const What& what) {
  const Past past = read_past(desk, job);
  if (past.cancel) {
    if (std::holds_alternative<Stopped>(what)) see_stopped(desk, job, *past.cancel);
    return;  // Until the client confirms, nothing else counts.
  }
  if (job.handle.empty()) return see_hand_over(desk, job, past, what);
  const std::string request = desk.store.reader().request(job.seen.id).value_or("{}");
  carry_out(desk, job, judge_client(view_of(desk, job, request), what, desk.settings), request);
}

}  // namespace haul

#include "flow/why.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/host.h"
#include "base/text.h"
#include "flow/lanes.h"
#include "flow/restored.h"
#include "flow/user.h"
#include "store/outcome.h"

namespace haul {
namespace {

constexpr std::size_t kIntentsMax = 1'000;

std::string seconds(Millis time) {
  return fmt::format("{} s", std::max<std::int64_t>(0, (time.count() + 999) / 1'000));
}

std::string ago(Time then, Time now) {
  const auto s = std::max<std::int64_t>(0, (now - then).count() / 1'000);
  if (s < 120) return fmt::format("{} s", s);
  if (s < 7'200) return fmt::format("{} min", s / 60);
  if (s < 172'800) return fmt::format("{} h", s / 3'600);
  return fmt::format("{} days", s / 86'400);
}

const Intent* find_open(const WhyFacts& facts, std::string_view kind) {
  for (const Intent& intent : facts.intents)
    if (intent.kind == kind && intent.state == IntentState::open) return &intent;
  return nullptr;
}

bool has_unknown(const WhyFacts& facts) {
  return std::ranges::any_of(facts.intents,
                             [](const Intent& i) { return i.state == IntentState::unknown; });
}

bool with_client(const Job& job) {
  return job.state().step == Step::transfer && !job.state().is_leased();
}

// What holds a job back. The rules below run in order; the first that applies is the answer.
struct Holding {
  std::string code;
  std::string because;
  std::string next;
  std::optional<Time> next_at{};
};

// Z-25: the state does not say how much arrived.
Holding of_done(const WhyFacts& facts) {
  const Counts& c = facts.counts;
  const auto outcome = outcome_of(facts.job, c);
  if (outcome == Outcome::whole) return {"arrived", "it is done", ""};
  return {outcome == Outcome::nothing ? "nothing_arrived" : "arrived_in_part",
          c.total == 0 ? "it is done, but it found nothing to fetch"
                       : fmt::format("it is done, but {} of {} items failed", c.failed, c.total),
          ""};
}

Holding of_ended(const WhyFacts& facts) {
  const Job& job = facts.job;
  switch (job.state().end) {
    case End::good:
      return of_done(facts);
    case End::stopped:
      return {"stopped", "it was stopped", ""};
    case End::bad:
      return {"failed", fmt::format("it failed ({})", job.reason), ""};
    case End::open:
      break;
  }
  return {};
}

// "h.example, which serves 2 of 2 requests": why the host has no free place.
std::string at_host(const HostFacts& facts, Time now, const Settings& settings) {
  if (facts.use.blocked_until > now)
    return fmt::format("{}, which asked to be left alone", printable(facts.host));
  return fmt::format("{}, which serves {} of {} requests", printable(facts.host), facts.use.held,
                     settings.host.at_once);
}

Holding of_leased(const WhyFacts& facts, const Settings& settings) {
  const Job& job = facts.job;
  const Time beaten = facts.worker ? facts.worker->beat_at : job.moved_at;
  const Time lost_at = beaten + job.seen.lifecycle->lease_after;
  if (facts.now - beaten > 2 * settings.beat_every)
    return {"worker_silent",
            fmt::format("its worker has not beaten for {}", ago(beaten, facts.now)),
            "its jobs are taken from the worker", lost_at};
  if (has_unknown(facts))
    return {"outcome_unknown", "an earlier try may have happened; it was written down and repeated",
            "the answer to this try"};
  if (job.seen.lifecycle->name != "batch")
    return {"working", fmt::format("a worker is at it ({})", name(job.state().step)),
            "the answer from outside"};
  const Counts& c = facts.counts;
  if (!c.enumerated)
    return {"enumerating", fmt::format("{} items found so far", c.total), "the rest of the list"};
  const std::string done =
      fmt::format("{} of {} items processed, {} failed", c.processed(), c.total, c.failed);
  if (facts.gate.host.empty()) return {"transferring", done, "the items that are left"};
  const bool blocked = facts.gate.use.blocked_until > facts.now;
  return {facts.moves ? "transferring" : "waiting_for_host",
          fmt::format("{}; items wait for host {}", done, at_host(facts.gate, facts.now, settings)),
          "a free place at the host",
          blocked ? std::optional{facts.gate.use.blocked_until} : std::nullopt};
}

// What the reasons mean that a healthy client gives.
struct ClientWord {
  std::string_view reason;
  std::string_view because;
};
constexpr ClientWord kClientWords[] = {
    {"waiting_for_metadata", "the client has a magnet link and waits for metadata"},
    {"queued_in_client", "the client has it in its own queue"},
    {"stopped_in_client", "somebody stopped it in the client"},
    {"checking_in_client", "the client checks what it has of it"},
    {"moving_in_client", "the client moves its files to where they belong"},
    {"unknown_in_client", "the client has it in a state that haul does not know"},
    {"stalled", "the client is at it, but no bytes come"},
    {"asset_pending", "the client says finished, but the file is not where it should be"},
    {"path_refused", "the client says finished, but its path is not one haul may take"},
    {"size_differs", "the client says finished, but what lies there has another size"},
};

const ClientWord* client_word(std::string_view reason) {
  const auto* const found = std::ranges::find(kClientWords, reason, &ClientWord::reason);
  return found == std::end(kClientWords) ? nullptr : found;
}

Holding of_client(const WhyFacts& facts, const Settings& settings) {
  const Job& job = facts.job;
  const std::string next = "the client is asked";
  if (find_open(facts, "cancel"))
    return {"cancel_asked", "the client must confirm that it stopped", next, job.due_at};
  if (job.handle.empty() && find_open(facts, "hand_over"))
    return {"hand_over",
            job.reason.empty() ? std::string{"the client has not confirmed that it took it"}
                               : fmt::format("the client could not be given it ({})", job.reason),
            next, job.due_at};
  if (job.handle.empty())
    return {"not_handed_over", "no worker has handed it to the client yet", "handing it over",
            job.due_at};
  if (job.missing_since) {
    const Millis left = *job.missing_since + settings.missing_grace - facts.now;
    return {"missing", fmt::format("the client does not know it; grace {} left", seconds(left)),
            next, job.due_at};
  }
  if (const ClientWord* word = client_word(job.reason)) {
    const bool told = job.reason == "stalled" && !job.detail.empty();
    return {job.reason, told ? "stalled: " + job.detail : std::string{word->because}, next,
            job.due_at};
  }
  if (!job.reason.empty())
    return {"cannot_look", fmt::format("the client could not be asked ({})", job.reason), next,
            job.due_at};
  if (job.seen.state == "queued")
    return {"waiting_for_client", "the client has it and nothing moves yet", next, job.due_at};
  return {"downloading", "the client is fetching it", next, job.due_at};
}

Holding of_waiting(const WhyFacts& facts, const Settings& settings) {
  const Job& job = facts.job;
  if (find_open(facts, "cancel"))
    return {"cancel_asked", "it ends with the next look", "the wish to cancel", facts.now};
  const bool later = job.due_at && *job.due_at > facts.now;
  const HostFacts& lane = facts.lane;
  if (!lane.host.empty() && lane.use.blocked_until > facts.now)
    return {"host_blocked", fmt::format("its host {} asked to be left alone", printable(lane.host)),
            "a worker takes it", std::max(lane.use.blocked_until, job.due_at.value_or(facts.now))};
  if (!lane.host.empty() && !later && lane.running >= settings.host.at_once)
    return {"host_busy",
            fmt::format("{} jobs run at its host {}, the most that may", lane.running,
                        printable(lane.host)),
            "its turn, when one of them ends"};
  if (job.reason == "host_wait")
    return {"host_wait", fmt::format("it waits for its host {}", printable(job.lane)),
            "a worker takes it", job.due_at};
  if (!later) return {"ready", "it is due and waits for a worker", "a worker takes it", job.due_at};
  if (job.reason == "not_indexed" || job.reason == "not_proven")
    return {"not_proven", "the media server does not list exactly this file yet",
            "the media server is asked", job.due_at};
  if (job.seen.attempt > 0 && job.state().step != Step::verify)
    return {"backoff",
            fmt::format("attempt {} of {} failed ({})", job.seen.attempt,
                        job.seen.lifecycle->attempts_max, job.reason),
            "another try", job.due_at};
  if (!job.reason.empty())
    return {"environment", fmt::format("something around it is wrong ({})", job.reason),
            "another look", job.due_at};
  return {"scheduled", "it is not due yet", "a worker takes it", job.due_at};
}

Holding answer(const WhyFacts& facts, const Settings& settings) {
  const Job& job = facts.job;
  if (!job.state().is_open()) return of_ended(facts);
  if (job.paused) return {"paused", "somebody paused it", "nothing, until it is resumed"};
  if (facts.is_restored && is_held_back(job, find_open(facts, "cancel") != nullptr))
    return {std::string{kRestored},
            "the store was restored from a backup: nothing is sent, paid, deleted or added at a "
            "client",
            "nothing, until an admin runs haul resume --all"};
  if (job.worker && find_open(facts, "cancel"))
    return {"cancel_asked", "its worker must stop the transfers first", "its worker's next look"};
  if (job.worker && find_open(facts, "pause"))
    return {"pause_asked", "its worker must stop what it does first", "its worker's next look"};
  if (job.worker) return of_leased(facts, settings);
  if (with_client(job)) return of_client(facts, settings);
  return of_waiting(facts, settings);
}

std::vector<std::string> allowed(const WhyFacts& facts) {
  const Job& job = facts.job;
  const State& state = job.state();
  std::vector<std::string> moves;
  if (state.is_open() && state.on_cancel.kind == AnswerKind::go && !find_open(facts, "cancel"))
    moves.emplace_back("cancel");
  if (can_retry(job, facts.counts)) moves.emplace_back("retry");
  const bool fetched_outside =
      with_client(job) && (!job.handle.empty() || find_open(facts, "hand_over"));
  const bool wished = find_open(facts, "cancel") || find_open(facts, "pause");
  if (state.is_open() && !job.paused && !fetched_outside && !wished) moves.emplace_back("pause");
  if (state.is_open() && (job.paused || find_open(facts, "pause"))) moves.emplace_back("resume");
  return moves;
}

}  // namespace

namespace {

// The first ones and all that are open, which may be later ones.
std::vector<Intent> intents_of(Store& store, JobId job) {
  std::vector<Intent> intents = store.intents().of(job, kIntentsMax);
  if (intents.size() < kIntentsMax) return intents;
  const IntentId last = intents.back().id;
  for (Intent& open : store.intents().open_of(job))
    if (open.id > last) intents.push_back(std::move(open));
  return intents;
}

// The first other host at which items of a running batch wait in vain.
HostFacts closed_host(Store& store, const WhyFacts& facts, const Settings& settings) {
  constexpr std::size_t kItemsMax = 200;
  std::set<std::string> seen{facts.job.lane, ""};
  for (const Item& item : store.items().list(facts.job.seen.id, "PENDING", 0, kItemsMax)) {
    const std::string host = host_of(item.url);
    if (!seen.insert(host).second) continue;
    const HostUse use = store.limits().use(host);
    if (use.blocked_until > facts.now || use.held >= settings.host.at_once)
      return {.host = host, .use = use};
  }
  return {};
}

void read_hosts(Store& store, const Settings& settings, WhyFacts& facts) {
  const Job& job = facts.job;
  if (job.worker) {
    facts.gate = closed_host(store, facts, settings);
    facts.moves = !store.items().list(job.seen.id, "DOWNLOADING", 0, 1).empty();
  } else if (job.lane != job.seen.lifecycle->name) {
    facts.lane = {.host = job.lane,
                  .use = store.limits().use(job.lane),
                  .running = store.reader().running(job.lane)};
  }
}

}  // namespace

Why explain(const WhyFacts& facts, const Settings& settings) {
  const Job& job = facts.job;
  const Holding why = answer(facts, settings);
  const auto stuck_after = job.state().stuck_after;
  return {.job = job.seen.id,
          .lifecycle = std::string{job.seen.lifecycle->name},
          .state = std::string{job.seen.state},
          .since = job.moved_at,
          .seen_at = job.seen_at,
          .code = why.code,
          .because = why.because,
          .reason = job.reason,
          .detail = job.detail,
          .next = why.next,
          .next_at = why.next_at,
          .stuck = stuck_after.count() > 0 && facts.now - job.moved_at > stuck_after,
          .allowed = allowed(facts)};
}

std::optional<Why> explain(Store& store, JobId id, Time now, const Settings& settings) {
  const auto job = store.reader().find(id);
  if (!job) return std::nullopt;
  WhyFacts facts{.job = *job,
                 .now = now,
                 .intents = intents_of(store, id),
                 .counts = store.items().counts(id),
                 .is_restored = store.identity().is_restored()};
  if (job->worker) facts.worker = store.workers().find(job->worker);
  if (job->state().is_open() && has_host_lanes(*job->seen.lifecycle))
    read_hosts(store, settings, facts);
  return explain(facts, settings);
}

std::string to_text(const Why& why, Time now) {
  std::string text = fmt::format("job {} ({}) is '{}' since {} ({} ago){}\n", why.job.value,
                                 why.lifecycle, why.state, to_iso(why.since), ago(why.since, now),
                                 why.stuck ? ", longer than it should" : "");
  text += fmt::format("  because  {} [{}]\n", printable(why.because), why.code);
  if (why.seen_at) text += fmt::format("  seen     {} ago\n", ago(*why.seen_at, now));
  if (!why.reason.empty())
    text += fmt::format("  reason   {}{}\n", printable(why.reason),
                        why.detail.empty() ? "" : ": " + printable(why.detail));
  if (!why.next.empty())
    text += fmt::format("  next     {}{}\n", why.next,
                        why.next_at ? " in " + seconds(*why.next_at - now) : "");
  std::string moves;
  for (const std::string& move : why.allowed) moves += (moves.empty() ? "" : ", ") + move;
  text += fmt::format("  you can  {}\n", moves.empty() ? "nothing" : moves);
  return text;
}

}  // namespace haul

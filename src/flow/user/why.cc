#include "flow/user/why.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "flow/user/user.h"
#include "flow/worker/answer.h"
#include "flow/worker/restored.h"
#include "seam/not_configured.h"
#include "store/outcome.h"

namespace haul::flow {
namespace {

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

// What holds a job back. The rules below run in order; the first that applies is the answer.
struct Holding {
  std::string code;
  std::string because;
  std::string next;
  std::optional<Time> next_at{};
  std::vector<JobId> holders{};
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

// "h.example, which serves 2 of 2 requests": why the host has no free slot.
std::string at_host(const HostFacts& facts, Time now, const Settings& settings) {
  if (facts.use.blocked_until > now)
    return fmt::format("{}, which asked haul to wait", printable(facts.host));
  return fmt::format("{}, which serves {} of {} requests", printable(facts.host), facts.use.held,
                     settings.host.at_once);
}

// The words of the job's table for its reason; nullptr if it has none.
const ReasonWords* words_for(const Job& job) {
  const std::span<const ReasonWords> all = job.version.lifecycle->reasons;
  const auto found = std::ranges::find(all, job.reason, &ReasonWords::reason);
  return found == all.end() ? nullptr : &*found;
}

std::string filled_in(std::string_view text, const Job& job) {
  std::string out{text};
  const auto fill_in = [&](std::string_view word, const std::string& value) {
    if (const std::size_t at = out.find(word); at != std::string::npos)
      out.replace(at, word.size(), value);
  };
  fill_in("{lane}", printable(job.lane));
  fill_in("{job}", std::to_string(job.version.id.value));
  return out;
}

// What the reason of a job means, if its table or haul itself has words for it.
std::optional<Holding> of_reason(const Job& job, std::optional<Time> next_at) {
  if (job.reason == kRestored)  // An admin has cleared the store since.
    return Holding{"scheduled", "it is not due yet", "haul checks again", next_at};
  const ReasonWords* words = words_for(job);
  if (!words) return std::nullopt;
  return Holding{std::string{words->code}, filled_in(words->because, job), std::string{words->next},
                 next_at};
}

// A job that waits under its lease. The store knows until when, and the reason. After that time the
// job's worker works on it, but the reason stays until the next answer.
std::optional<Holding> of_held_wait(const WhyFacts& facts) {
  const Job& job = facts.job;
  if (job.reason.empty()) return std::nullopt;
  const bool later = job.due_at && *job.due_at > facts.now;
  if (later || words_for(job))
    if (auto told = of_reason(job, later ? job.due_at : std::nullopt)) return told;
  if (!later) return std::nullopt;
  return Holding{"waiting", fmt::format("its worker waits before it goes on ({})", job.reason),
                 "haul checks again", job.due_at};
}

// "; 2 items wait for another try (http_503)"
std::string retries_text(const RetryFacts& retry) {
  if (retry.items == 0) return {};
  return fmt::format("; {} {} for another try ({})", retry.items,
                     retry.items == 1 ? "item waits" : "items wait", printable(retry.reason));
}

std::string limit_text(const SpeedNow& limit) {
  return fmt::format("all transfers together use the speed limit of {} bytes per second ({}{})",
                     limit.per_second, set_by(limit),
                     limit.until ? fmt::format(", until {}", to_iso(*limit.until)) : "");
}

// A batch whose items a worker transfers.
Holding of_items(const WhyFacts& facts, const Settings& settings) {
  constexpr Millis kStill{30'000};
  constexpr double kNearLimit = 0.8;  // A limit is never used to the last byte.
  const Counts& c = facts.counts;
  const RetryFacts& retry = facts.retry;
  const LiveFacts& live = facts.live;
  const std::string done =
      fmt::format("{} of {} items processed, {} failed", c.processed(), c.total, c.failed);
  if (!facts.gate.host.empty()) {
    const bool blocked = facts.gate.use.blocked_until > facts.now;
    return {
        facts.moves ? "transferring" : "waiting_for_host",
        fmt::format("{}; items wait for host {}", done, at_host(facts.gate, facts.now, settings)),
        "a free slot at the host",
        blocked ? std::optional{facts.gate.use.blocked_until} : std::nullopt, facts.gate.holders};
  }
  if (retry.items > 0 && !facts.moves)
    return {"backoff", fmt::format("{}{}", done, retries_text(retry)),
            fmt::format("another try of {}", printable(retry.name)), retry.at};
  if (live.still_for >= kStill)
    return {"slow_item",
            fmt::format("{}; {} has received no byte for {}{}", done, printable(live.still_item),
                        seconds(live.still_for), retries_text(retry)),
            "its next bytes, or another try of it"};
  const auto limit = static_cast<double>(live.speed_limit.per_second);
  if (limit > 0 && live.speed >= kNearLimit * limit)
    return {"speed_limited",
            fmt::format("{}; {}{}", done, limit_text(live.speed_limit), retries_text(retry)),
            "the remaining items"};
  const std::string last =
      live.last_item.empty() ? "" : fmt::format("; the last is {}", printable(live.last_item));
  return {"transferring", done + last + retries_text(retry),
          retry.items > 0 ? fmt::format("another try of {}", printable(retry.name))
                          : std::string{"the remaining items"},
          retry.at};
}

Holding of_leased(const WhyFacts& facts, const Settings& settings) {
  const Job& job = facts.job;
  const Time beaten = facts.worker ? facts.worker->beat_at : job.moved_at;
  const Time lost_at = beaten + lease_of(settings, *job.version.lifecycle);
  if (facts.now - beaten > 2 * settings.beat_every)
    return {"worker_silent",
            fmt::format("its worker sent no heartbeat for {}", ago(beaten, facts.now)),
            "haul rescues the worker's jobs", lost_at};
  if (has_unknown(facts))
    return {"outcome_unknown",
            "an earlier try may have succeeded; haul has recorded that and tries again",
            "the answer to this try"};
  if (!job.version.lifecycle->items) {
    if (auto wait = of_held_wait(facts)) return *std::move(wait);
    return {"working", fmt::format("a worker works on it ({})", name(job.state().step)),
            "the external service answers"};
  }
  const Counts& c = facts.counts;
  if (!c.enumerated)
    return {"enumerating", fmt::format("{} items found so far", c.total), "the rest of the list"};
  return of_items(facts, settings);
}

// What the reasons of a client mean: first those of one that cannot be asked.
struct ClientWord {
  std::string_view reason;
  std::string_view because;
};
constexpr ClientWord kDownWords[] = {
    {"client_unreachable", "the client does not answer; haul waits for it"},
    {"client_silent", "the client did not answer in time; haul waits for it"},
    {"client_restarting", "the client has just started and may not know all its downloads yet"},
    {"client_refused_login", "the client refuses haul's login; configure the right one"},
    {"client_not_let_in", "the client does not let haul in; configure a login"},
    {"client_banned", "the client has banned haul after failed logins; restart it"},
    {"client_garbage", "the client gives answers that haul cannot read"},
    {"client_too_old", "the client is too old for haul"},
};
constexpr ClientWord kClientWords[] = {
    {"waiting_for_metadata", "the client has a magnet link and waits for metadata"},
    {"queued_in_client", "it waits in the client's own queue"},
    {"stopped_in_client", "a user stopped it in the client"},
    {"checking_in_client", "the client checks the data that it has"},
    {"moving_in_client", "the client moves its files to their final folder"},
    {"unknown_in_client", "the client has it in a state that haul does not know"},
    {"stalled", "the client downloads it, but receives no data"},
    {"asset_pending", "the client says finished, but the file is not where it should be"},
    {"path_refused", "the client says finished, but haul may not take files from its path"},
    {"size_differs", "the client says finished, but the file has another size"},
};

const ClientWord* find_word(std::span<const ClientWord> words, std::string_view reason) {
  const auto found = std::ranges::find(words, reason, &ClientWord::reason);
  return found == words.end() ? nullptr : &*found;
}

// "the client does not answer; haul waits for it (client_unreachable)"
std::string down_text(const std::string& reason, std::string_view otherwise) {
  const ClientWord* word = find_word(kDownWords, reason);
  return fmt::format("{} ({})", word ? word->because : otherwise, reason);
}

// Its user asked for a later begin, and nothing has happened to it since it was added.
std::optional<Holding> of_not_before(const WhyFacts& facts) {
  const Job& job = facts.job;
  const bool is_untouched = job.version.seq == 0 && !job.seen_at && job.reason.empty();
  if (!is_untouched || !job.due_at || *job.due_at <= facts.now || find_open(facts, kHandOverIntent))
    return std::nullopt;
  return Holding{kScheduled,
                 fmt::format("it waits until {}, as its user asked", to_iso(*job.due_at)),
                 "a worker takes it", job.due_at};
}

Holding of_client(const WhyFacts& facts, const Settings& settings) {
  const Job& job = facts.job;
  const std::string next = "haul asks the client";
  if (find_open(facts, kCancelIntent)) {
    const bool no_client = job.reason == kNotConfigured;
    return {"cancel_asked",
            no_client ? fmt::format("the client must confirm that it stopped, but is not "
                                    "configured: {}",
                                    job.detail)
                      : std::string{"the client must confirm that it stopped"},
            next, job.due_at};
  }
  if (job.handle.empty() && find_open(facts, kHandOverIntent))
    return {"hand_over",
            job.reason.empty() ? std::string{"the client has not confirmed that it took it"}
                               : down_text(job.reason, "the client did not accept it"),
            next, job.due_at};
  if (job.handle.empty() && find_word(kDownWords, job.reason))
    return {"cannot_look", down_text(job.reason, ""), "handing it over", job.due_at};
  if (auto told = job.handle.empty() ? of_not_before(facts) : std::nullopt) return *std::move(told);
  if (job.handle.empty())
    return {"not_handed_over", "no worker has handed it to the client yet", "handing it over",
            job.due_at};
  if (job.missing_since) {
    const Millis left = *job.missing_since + settings.missing_grace - facts.now;
    return {"missing", fmt::format("the client does not know it; grace {} left", seconds(left)),
            next, job.due_at};
  }
  if (const ClientWord* word = find_word(kClientWords, job.reason)) {
    const bool told = job.reason == "stalled" && !job.detail.empty();
    return {job.reason, told ? "stalled: " + job.detail : std::string{word->because}, next,
            job.due_at};
  }
  if (!job.reason.empty())
    return {"cannot_look", down_text(job.reason, "haul could not ask the client"), next,
            job.due_at};
  if (job.version.lifecycle->find(job.version.state, On::started))
    return {"waiting_for_client", "the client has it, but has not started it", next, job.due_at};
  return {"downloading", "the client is fetching it", next, job.due_at};
}

// Faults of the machine that haul runs on. They cost no attempt. An administrator has to fix them.
struct EnvironmentWord {
  std::string_view reason;
  std::string_view because;
};
constexpr EnvironmentWord kEnvironmentWords[] = {
    {"disk_full", "the disk that its files go to is full; make room"},
    {"disk_error", "the disk reports an error; check it"},
    {"read_only_disk", "the disk that its files go to is read-only"},
    {"no_permission", "haul may not write to the folder that its files go to"},
    {"folder_gone", "the folder that its files go to is gone"},
    {"root_not_mounted", "the disk that its files go to is not mounted"},
    {"network_down", "this machine has no network"},
    {"program_missing", "a program that it needs is not installed"},
};

const EnvironmentWord* environment_word(std::string_view reason) {
  const auto* const found = std::ranges::find(kEnvironmentWords, reason, &EnvironmentWord::reason);
  return found == std::end(kEnvironmentWords) ? nullptr : found;
}

struct ReachedLimit {
  std::string code;
  std::string_view whose;
  std::size_t most = 0;
  std::string_view setting;
};

// "2 of these jobs run, and at most 2 may (image.at_once)"
Holding of_reached(const ReachedLimit& limit, const std::vector<JobId>& running) {
  constexpr std::ptrdiff_t kHoldersMax = 10;
  const auto shown = std::min(kHoldersMax, std::ssize(running));
  return {limit.code,
          fmt::format("{} {} {}, and at most {} may{}", running.size(), limit.whose,
                      running.size() == 1 ? "runs" : "run", limit.most,
                      limit.setting.empty() ? "" : fmt::format(" ({})", limit.setting)),
          "its turn, when one of them ends",
          std::nullopt,
          {running.begin(), running.begin() + shown}};
}

// Nothing if the job may run beside those that do.
std::optional<Holding> of_limit(const LimitFacts& limits) {
  const LaneLimits& most = limits.most;
  if (most.at_once > 0 && limits.running.size() >= most.at_once)
    return of_reached({"at_once_reached", "of these jobs", most.at_once, limits.names.at_once},
                      limits.running);
  if (most.per_owner > 0 && limits.running_of_owner.size() >= most.per_owner)
    return of_reached({"per_owner_reached", "of its owner's jobs of this kind", most.per_owner,
                       limits.names.per_owner},
                      limits.running_of_owner);
  return std::nullopt;
}

Holding of_waiting(const WhyFacts& facts, const Settings& settings) {
  const Job& job = facts.job;
  if (find_open(facts, kCancelIntent))
    return {"cancel_asked", "a user asked to cancel it", "a worker cancels it", facts.now};
  const bool later = job.due_at && *job.due_at > facts.now;
  const HostFacts& lane = facts.lane;
  if (!lane.host.empty() && lane.use.blocked_until > facts.now)
    return {"host_blocked", fmt::format("its host {} asked haul to wait", printable(lane.host)),
            "a worker takes it", std::max(lane.use.blocked_until, job.due_at.value_or(facts.now)),
            lane.holders};
  if (!lane.host.empty() && !later && lane.running >= settings.host.at_once)
    return {"host_busy",
            fmt::format("{} {} at its host {}, the limit", lane.running,
                        lane.running == 1 ? "job runs" : "jobs run", printable(lane.host)),
            "its turn, when one of them ends", std::nullopt, lane.holders};
  if (auto limited = later ? std::nullopt : of_limit(facts.limits)) return *std::move(limited);
  if (!later) return {"ready", "it is due and waits for a worker", "a worker takes it", job.due_at};
  if (auto told = of_not_before(facts)) return *std::move(told);
  if (auto told = of_reason(job, job.due_at)) {
    told->holders = lane.holders;
    return *std::move(told);
  }
  if (const EnvironmentWord* word = environment_word(job.reason))
    return {job.reason, std::string{word->because}, "haul checks again", job.due_at};
  // In every lifecycle, a job that is verified has its files. That the proof is not there yet is no
  // failed attempt, whatever the reason: the attempts were those of earlier steps.
  if (job.version.attempt > 0 && job.state().step != Step::verify)
    return {"backoff",
            fmt::format("attempt {} of {} failed ({})", job.version.attempt,
                        job.version.lifecycle->attempts_max, job.reason),
            "another try", job.due_at};
  if (!job.reason.empty())
    return {"environment", fmt::format("haul's environment has a problem ({})", job.reason),
            "haul checks again", job.due_at};
  return {"scheduled", "it is not due yet", "a worker takes it", job.due_at};
}

// Z-30: workers begin no job of a lifecycle that is not ready. They go on to watch and to cancel
// what a client has already.
bool waits_for_setup(const WhyFacts& facts) {
  const Job& job = facts.job;
  if (facts.not_ready.empty() || job.worker || find_open(facts, kCancelIntent)) return false;
  return !job.state().is_at_client() || job.handle.empty();
}

// Z-14, Z-28: no job of the lifecycle begins.
Holding of_hold(const ServiceHold::Told& told) {
  const std::string detail = told.why.detail.empty() ? "" : ": " + printable(told.why.detail);
  if (const EnvironmentWord* ours = environment_word(told.why.code))
    return {told.why.code, std::string{ours->because} + detail, "haul tries again", told.until_at};
  return {told.why.code,
          fmt::format("a service that it needs refuses haul ({}){}", told.why.code, detail),
          "haul asks the service again", told.until_at};
}

Holding of_paused(const WhyFacts& facts) {
  const bool is_own = !facts.own_pause.empty() && facts.own_pause == facts.job.reason;
  return {"paused",
          is_own ? fmt::format("haul paused it and asks you ({}): {}", facts.job.reason,
                               printable(facts.job.detail))
                 : "a user paused it",
          "nothing, until it is resumed"};
}

Holding answer(const WhyFacts& facts, const Settings& settings) {
  const Job& job = facts.job;
  if (!job.state().is_open()) return of_ended(facts);
  if (job.paused) return of_paused(facts);
  if (facts.is_restored && is_held_back(job, find_open(facts, kCancelIntent) != nullptr))
    return {std::string{kRestored},
            "the store was restored from a backup or filled by haul import-db: nothing is sent, "
            "paid, deleted or added at a client",
            "nothing, until an admin runs haul resume --all"};
  if (waits_for_setup(facts))
    return {"not_configured", fmt::format("haul cannot begin it: {}", facts.not_ready),
            "a worker takes it, once that is done"};
  if (facts.hold && !job.worker && !job.state().is_at_client() && !find_open(facts, kCancelIntent))
    return of_hold(*facts.hold);
  if (job.worker && find_open(facts, kCancelIntent))
    return {"cancel_asked", "its worker must stop the transfers first", "its worker's next check"};
  if (job.worker && find_open(facts, kPauseIntent))
    return {"pause_asked", "its worker must stop its work first", "its worker's next check"};
  if (job.worker) return of_leased(facts, settings);
  if (job.state().is_at_client()) return of_client(facts, settings);
  return of_waiting(facts, settings);
}

std::vector<std::string> allowed(const WhyFacts& facts) {
  const Job& job = facts.job;
  const State& state = job.state();
  std::vector<std::string> moves;
  if (can_cancel(job) && !find_open(facts, kCancelIntent)) moves.emplace_back("cancel");
  if (can_retry(job, facts.counts)) moves.emplace_back("retry");
  const bool fetched_outside =
      job.state().is_at_client() && (!job.handle.empty() || find_open(facts, kHandOverIntent));
  const bool wished = find_open(facts, kCancelIntent) || find_open(facts, kPauseIntent);
  if (state.is_open() && !job.paused && !fetched_outside && !wished) moves.emplace_back("pause");
  const bool is_paused = job.paused || find_open(facts, kPauseIntent);
  if (state.is_open() && is_paused) moves.emplace_back("resume");
  if (!state.is_open() && !job.hidden_at) moves.emplace_back("delete");
  return moves;
}

}  // namespace

Why explain(const WhyFacts& facts, const Settings& settings) {
  const Job& job = facts.job;
  const Holding why = answer(facts, settings);
  return {.job = job.version.id,
          .lifecycle = std::string{job.version.lifecycle->name},
          .state = std::string{job.version.state},
          .since = job.moved_at,
          .seen_at = job.seen_at,
          .code = why.code,
          .because = why.because,
          .reason = job.reason,
          .detail = job.detail,
          .next = why.next,
          .next_at = why.next_at,
          .holders = why.holders,
          .stuck = is_stuck(settings.stuck, job, facts.now),
          .allowed = allowed(facts)};
}

std::string holders_text(std::span<const JobId> holders) {
  std::string text = holders.size() == 1 ? "job" : "jobs";
  for (std::size_t i = 0; i < holders.size(); ++i)
    text += fmt::format("{} {}", i == 0 ? "" : ",", holders[i].value);
  return text;
}

std::string to_text(const Why& why, Time now) {
  std::string text = fmt::format("job {} ({}) is '{}' since {} ({} ago){}\n", why.job.value,
                                 why.lifecycle, why.state, to_iso(why.since), ago(why.since, now),
                                 why.stuck ? ", longer than expected" : "");
  text += fmt::format("  because  {} [{}]\n", printable(why.because), why.code);
  if (!why.holders.empty()) text += fmt::format("  held by  {}\n", holders_text(why.holders));
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

}  // namespace haul::flow

#include "flow/judge.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/backoff.h"
#include "base/plant.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

// Looks again at the next poll. The reason says what the job waits for; an empty one clears it.
Verdict look_again(const Settings& settings, Mark mark, std::string reason = {},
                   std::string detail = {}) {
  return {.note = Note{.look_after = settings.poll,
                       .reason = std::move(reason),
                       .detail = std::move(detail),
                       .mark = mark}};
}

// "no bytes for 14 min"
std::string stalled_text(const Moving& seen) {
  if (!seen.stalled_for) return "no bytes come";
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*seen.stalled_for).count();
  return seconds < 120 ? fmt::format("no bytes for {} s", seconds)
                       : fmt::format("no bytes for {} min", seconds / 60);
}

Verdict judge_moving(const ClientView& view, const Moving& seen, const Settings& settings) {
  Verdict verdict = seen.stalled ? look_again(settings, Mark::clear, "stalled", stalled_text(seen))
                                 : look_again(settings, Mark::clear);
  if (view.job.seen.state == "queued")
    verdict.wishes.push_back({.on = On::started, .due_after = settings.poll});
  return verdict;
}

Verdict fail(const Fault& fault) {
  return {.wishes = {{.on = On::fail, .reason = fault.code, .detail = fault.detail}}};
}

// haul's own environment failed, not the job, so the job loses no attempt.
bool is_ours(const Fault& fault) {
  return fault.kind == FaultKind::environment && !planted(Plant::full_disk_burns);
}

Verdict release(const Fault& fault, const Settings& settings) {
  return {.release_after = settings.environment_wait, .release_reason = fault.code};
}

// A0-1: a job that is complete while still queued makes two moves, not one.
Verdict judge_finished(const ClientView& view, const Finished& seen, const Settings& settings) {
  if (!seen.in_place)
    return look_again(settings, Mark::clear, seen.why_not.empty() ? "asset_pending" : seen.why_not);
  Verdict verdict;
  if (view.job.missing_since) verdict.note = Note{.mark = Mark::clear};
  if (view.job.seen.state == "queued") verdict.wishes.push_back({.on = On::started});
  if (view.job.seen.lifecycle->name == "media") {
    verdict.wishes.push_back({.on = On::fetched, .result = seen.path});
  } else {
    verdict.wishes.push_back({.on = On::landed,
                              .proof = {Proof::evidence, seen.evidence},
                              .asset = AssetFacts{.path = seen.path, .size = seen.size}});
  }
  return verdict;
}

}  // namespace

Verdict judge_client(const ClientView& view, const What& what, const Settings& settings) {
  if (std::holds_alternative<Missing>(what)) return judge_missing(view, settings);
  if (planted(Plant::unreachable_is_missing) && std::holds_alternative<Unseen>(what))
    return judge_missing(view, settings);
  if (const auto* unseen = std::get_if<Unseen>(&what))
    return look_again(settings, Mark::keep, unseen->code);  // S0-10
  if (const auto* waiting = std::get_if<Waiting>(&what))
    return look_again(settings, Mark::clear, waiting->code, waiting->detail);
  if (const auto* moving = std::get_if<Moving>(&what)) return judge_moving(view, *moving, settings);
  if (const auto* finished = std::get_if<Finished>(&what))
    return judge_finished(view, *finished, settings);
  if (const auto* failed = std::get_if<Failed>(&what)) {
    const bool ours = failed->fault.kind == FaultKind::environment;
    return ours ? look_again(settings, Mark::keep, failed->fault.code) : fail(failed->fault);
  }
  return Verdict::stay();
}

Verdict judge_missing(const ClientView& view, const Settings& settings) {
  if (view.job.handle.empty()) return look_again(settings, Mark::keep);  // A0-5
  // A mark from the future dates from before the clock was set back: the grace starts over.
  const bool begins = !view.job.missing_since || *view.job.missing_since > view.now;
  if (begins) return look_again(settings, Mark::set);
  const Millis by_wall = view.now - *view.job.missing_since;
  const bool young_here = view.marked_for && *view.marked_for < settings.missing_grace &&
                          !planted(Plant::grace_by_wall);
  if (by_wall < settings.missing_grace || young_here) return look_again(settings, Mark::keep);
  return fail({.code = "missing_external_job", .detail = "the client does not know it any more"});
}

Verdict judge_hand_over(const ClientView& view, const Fault& fault, const Settings& settings) {
  if (fault.kind == FaultKind::environment) return look_again(settings, Mark::keep, fault.code);
  const bool again =
      fault.kind == FaultKind::retryable && view.failed_hand_overs < settings.hand_over_tries;
  if (!again) return fail(fault);
  return {.note =
              Note{.look_after = Backoff{.base = Millis{300}}.after(view.failed_hand_overs, 0.5),
                   .reason = fault.code}};
}

ItemVerdict judge_item(const Item& item, const Fault& fault, bool moved_forward,
                       const Settings& settings, double chance) {
  using Kind = ItemVerdict::Kind;
  if (fault.kind == FaultKind::environment) return {.kind = Kind::release};
  const int attempt = (moved_forward ? 0 : item.attempt) + 1;
  const int tries = item.tries + 1;
  // A file that does not match its checksum is fetched again from the start, but only once.
  const bool damaged_twice = fault.code == "checksum_mismatch" && item.reason == fault.code;
  const bool again = fault.kind == FaultKind::retryable && tries < settings.item_tries_max &&
                     attempt < kItem.attempts_max && !damaged_twice;
  if (!again) return {.kind = Kind::fail, .attempt = attempt, .tries = tries};
  return {Kind::again, attempt, tries, kItemBackoff.after(attempt, chance)};
}

Verdict judge_relay(const Job& job, const Fault& fault, const Settings& settings, double chance) {
  if (is_ours(fault)) return release(fault, settings);
  const int after = job.seen.attempt + 1;
  const bool can_requeue = job.seen.lifecycle->find(job.seen.state, On::requeue) != nullptr;
  if (fault.kind != FaultKind::retryable || after >= job.seen.lifecycle->attempts_max ||
      !can_requeue)
    return fail(fault);
  return {.wishes = {{.on = On::requeue,
                      .reason = fault.code,
                      .detail = fault.detail,
                      .due_after = kRelayBackoff.after(after, chance)}}};
}

Verdict judge_image(const Job& job, const Fault& fault, const Settings& settings, double chance) {
  if (is_ours(fault)) return release(fault, settings);
  if (fault.kind == FaultKind::rejected)
    return {.wishes = {{.on = On::reject, .reason = fault.code, .detail = fault.detail}}};
  const int after = job.seen.attempt + 1;
  Verdict verdict{.wishes = {{.on = On::fail,
                              .reason = fault.code,
                              .detail = fault.detail,
                              .due_after = kImageBackoff.after(after, chance)}}};
  if (fault.kind != FaultKind::retryable || after >= job.seen.lifecycle->attempts_max)
    verdict.wishes.push_back(
        {.on = On::give_up, .reason = fault.code, .detail = fault.detail, .by = By::system});
  return verdict;
}

Verdict judge_image_timer(const Job& job) {
  const bool again = job.seen.attempt < job.seen.lifecycle->attempts_max;
  return {.wishes = {{.on = again ? On::requeue : On::give_up,
                      .reason = job.reason,
                      .detail = job.detail,
                      .by = By::timer}}};
}

Verdict judge_media(const Job&, const Fault& fault, const Settings& settings, double) {
  switch (fault.kind) {
    case FaultKind::environment:
    case FaultKind::retryable:
      return release(fault, settings);
    case FaultKind::permanent:
    case FaultKind::rejected:
    case FaultKind::cancelled:
      return fail(fault);
  }
  return Verdict::stay();  // Not reached: the switch is complete.
}

Millis wait_after_loss(const Lifecycle& lifecycle, int attempt, double chance) {
  return lifecycle.name == "image" ? kImageBackoff.after(attempt, chance) : Millis{0};
}

}  // namespace haul

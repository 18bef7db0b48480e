#include "flow/client/judge.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/planted_bug.h"
#include "flow/worker/answer.h"
#include "flow/worker/restored.h"
#include "store/rules/fault.h"

namespace haul::flow {
namespace {

constexpr double kEven = 0.5;  // Polls are regular: no jitter.

// Looks again at the next poll. The reason says what the job waits for; an empty one clears it.
Verdict look_again(const Settings& settings, Mark mark, std::string reason = {},
                   std::string detail = {}) {
  return {.observed = Observed{.look_after = settings.poll,
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

// How long the client asked haul to wait.
Millis asked_wait(const Failed& failed, const Settings& settings) {
  return std::min(Millis{failed.wait_ms}, settings.wait_max);
}

Verdict judge_moving(const ClientView& view, const Moving& seen, const Settings& settings) {
  Verdict verdict = seen.stalled ? look_again(settings, Mark::clear, "stalled", stalled_text(seen))
                                 : look_again(settings, Mark::clear);
  if (view.job.version.lifecycle->find(view.job.version.state, On::started))
    verdict.moves.push_back(
        {.on = On::started, .due_after = settings.poll, .holds = {Guard::active_report}});
  return verdict;
}

// A0-1: a job that is complete while still queued makes two moves, not one.
Verdict judge_finished(const ClientView& view, const Finished& seen, const Settings& settings) {
  if (!seen.in_place)
    return look_again(settings, Mark::clear, seen.why_not.empty() ? "asset_pending" : seen.why_not);
  Verdict verdict;
  if (view.job.missing_since) verdict.observed = Observed{.mark = Mark::clear};
  const Lifecycle& lifecycle = *view.job.version.lifecycle;
  std::string_view state = view.job.version.state;
  if (const Move* started = lifecycle.find(state, On::started)) {
    verdict.moves.push_back({.on = On::started, .holds = {Guard::active_report}});
    state = started->to;
  }
  if (lifecycle.find(state, On::fetched)) {
    verdict.moves.push_back({.on = On::fetched, .result = seen.path});
  } else {
    verdict.moves.push_back({.on = On::landed,
                             .holds = {Guard::file_in_place},
                             .proof = {Proof::evidence, seen.evidence},
                             .assets = {AssetFacts{.path = seen.path, .size = seen.size}}});
  }
  return verdict;
}

}  // namespace

Verdict judge_client(const ClientView& view, const What& what, const Settings& settings) {
  if (std::holds_alternative<Missing>(what)) return judge_missing(view, settings);
  if (planted(PlantedBug::unreachable_is_missing) && std::holds_alternative<Unseen>(what))
    return judge_missing(view, settings);
  if (const auto* unseen = std::get_if<Unseen>(&what))
    return look_again(settings, Mark::keep, unseen->code);  // S0-10
  if (const auto* waiting = std::get_if<Waiting>(&what))
    return look_again(settings, Mark::clear, waiting->code, waiting->detail);
  if (const auto* moving = std::get_if<Moving>(&what)) return judge_moving(view, *moving, settings);
  if (const auto* finished = std::get_if<Finished>(&what))
    return judge_finished(view, *finished, settings);
  if (const auto* failed = std::get_if<Failed>(&what)) {
    Verdict verdict = answer(view.job, failed->fault, settings, kEven);
    if (!verdict.release_after) return verdict;
    // No worker holds it, so there is nothing to release.
    return {.observed =
                Observed{.look_after = std::max(settings.poll, asked_wait(*failed, settings)),
                         .reason = failed->fault.code,
                         .detail = ""}};
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
                          !planted(PlantedBug::grace_by_wall);
  if (by_wall < settings.missing_grace || young_here) return look_again(settings, Mark::keep);
  return answer_final(view.job, {FaultKind::permanent, "missing_external_job",
                                 "the client does not know it any more"});
}

Verdict judge_hand_over(const ClientView& view, const Failed& failed, const Settings& settings) {
  const Fault& fault = failed.fault;
  const Lifecycle& lifecycle = *view.job.version.lifecycle;
  Verdict verdict = answer(view.job, fault, settings, kEven, asked_wait(failed, settings));
  if (!verdict.release_after) return verdict;
  // The job stays. No worker holds it, so there is nothing to release.
  if (fault.kind == FaultKind::environment) return look_again(settings, Mark::keep, fault.code);
  if (rules::is_spent(lifecycle, view.failed_hand_overs)) return answer_final(view.job, fault);
  const Millis backoff = lifecycle.backoff.after(view.failed_hand_overs, kEven);
  return {.observed = Observed{.look_after = std::max(backoff, asked_wait(failed, settings)),
                               .reason = fault.code}};
}

DueAct judge_due(const DueView& view) {
  if (view.is_restored && is_held_back(view.job, view.cancel_asked)) return DueAct::put_off;
  if (view.cancel_asked && !planted(PlantedBug::hand_over_after_cancel))
    return view.was_given ? DueAct::stop : DueAct::cancel;
  if (!view.job.handle.empty()) return DueAct::look;
  return view.is_ready ? DueAct::hand_over : DueAct::put_off;
}

}  // namespace haul::flow

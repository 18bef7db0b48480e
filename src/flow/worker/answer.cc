#include "flow/worker/answer.h"

#include <algorithm>

#include "base/planted_bug.h"
#include "store/rules/fault.h"

namespace haul::flow {
namespace {

// haul's own environment failed, not the job, so the job loses no attempt.
bool is_ours(const Fault& fault) {
  return fault.kind == FaultKind::environment && !planted(PlantedBug::full_disk_burns);
}

int attempt_after(const Job& job, const Move* move) {
  return job.version.attempt + (move && move->has(Effect::count_attempt) ? 1 : 0);
}

// Whether the way to another attempt asks for one that is left: the move itself, or the one that
// ends the timed wait to which it leads.
bool needs_attempt(const Lifecycle& lifecycle, const Move& move) {
  if (move.has(Guard::attempt_left)) return true;
  const State& to = lifecycle.at(move.to);
  const Move* again = to.step == Step::wait ? lifecycle.find(to.name, On::requeue) : nullptr;
  return again && again->has(Guard::attempt_left);
}

}  // namespace

// Moves the job from state to state, until one is closed or answers otherwise.
Verdict answer_final(const Job& job, const Fault& fault, double chance) {
  const Lifecycle& lifecycle = *job.version.lifecycle;
  Verdict verdict;
  std::string_view state = job.version.state;
  for (std::size_t i = 0; i < lifecycle.states.size(); ++i) {
    const Move* move = rules::move_to(lifecycle, state, lifecycle.find(state)->on_fail);
    if (!move) break;
    state = move->to;
    verdict.moves.push_back(
        {.on = move->on, .reason = fault.code, .detail = fault.detail, .due_after = {}});
    if (verdict.moves.size() > 1) verdict.moves.back().by = By::system;
    verdict.moves.back().holds = {Guard::spent_or_permanent};
    if (!lifecycle.find(state)->is_open()) break;
    verdict.moves.back().due_after = lifecycle.backoff.after(attempt_after(job, move), chance);
  }
  return verdict;
}

Verdict answer(const Job& job, const Fault& fault, const Settings& settings, double chance,
               Millis wait) {
  const Lifecycle& lifecycle = *job.version.lifecycle;
  const State& state = job.state();
  const Millis least = std::min(wait, settings.wait_max);
  Verdict later{.release_after = std::max(settings.environment_wait, least),
                .release_reason = fault.code,
                .release_detail = fault.detail};
  if (is_ours(fault)) return later;
  if (fault.kind == FaultKind::rejected && lifecycle.find(state.name, On::reject))
    return {.moves = {{.on = On::reject, .reason = fault.code, .detail = fault.detail}}};
  const bool may_help = fault.kind == FaultKind::retryable || fault.kind == FaultKind::environment;
  if (!may_help) return answer_final(job, fault, chance);
  if (state.on_fault.kind == AnswerKind::stay) return later;
  const Move* move = rules::move_to(lifecycle, state.name, state.on_fault);
  if (!move) return answer_final(job, fault, chance);
  const int after = attempt_after(job, move);
  if (needs_attempt(lifecycle, *move) && rules::is_spent(lifecycle, after))
    return answer_final(job, fault, chance);
  return {.moves = {{.on = move->on,
                     .reason = fault.code,
                     .detail = fault.detail,
                     .due_after = std::max(lifecycle.backoff.after(after, chance), least),
                     .holds = {Guard::retryable}}}};
}

bool can_cancel(const Job& job) {
  return job.state().is_open() && job.state().on_cancel.kind == AnswerKind::go;
}

Verdict answer_cancel(std::optional<Guard> also) {
  Verdict verdict{.moves = {{.on = On::cancel, .reason = "canceled", .by = By::user}}};
  ShortList<Guard, 4>& holds = verdict.moves.front().holds;
  if (also)
    holds = {Guard::owner_or_admin, *also};
  else
    holds = {Guard::owner_or_admin};
  return verdict;
}

Verdict answer_wait(const Job& job) {
  const Lifecycle& lifecycle = *job.version.lifecycle;
  const Move* again = lifecycle.find(job.version.state, On::requeue);
  const bool may = again && !(again->has(Guard::attempt_left) &&
                              rules::is_spent(lifecycle, job.version.attempt));
  const Move* move =
      may ? again : rules::move_to(lifecycle, job.version.state, job.state().on_fail);
  if (!move) return Verdict::stay();
  return {.moves = {{.on = move->on, .reason = job.reason, .detail = job.detail, .by = By::timer}}};
}

}  // namespace haul::flow

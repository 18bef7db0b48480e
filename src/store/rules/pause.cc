#include "store/rules/pause.h"

#include "base/ensure.h"

namespace haul::rules {
namespace {

std::unexpected<Refusal> refuse(RefusalKind kind, std::string_view code, std::string_view why) {
  return std::unexpected{Refusal{kind, std::string{code}, std::string{why}}};
}

}  // namespace

std::expected<PauseChange, Refusal> grant_pause(const PauseFacts& facts, Time now) {
  ensure(facts.version.lifecycle != nullptr, "a pause names the lifecycle of its job");
  if (facts.is_withdrawn)
    return refuse(RefusalKind::stale, "taken_back", "the user has withdrawn it");
  const State* state = facts.version.lifecycle->find(facts.version.state);
  if (state && !state->is_open())
    return refuse(RefusalKind::forbidden, "ended",
                  "the job has ended; only open jobs can be paused");
  if (facts.is_leased) return refuse(RefusalKind::guarded, "leased", "a worker holds the job");
  if (facts.turn == PauseTurn::pause) return PauseChange{.paused = true, .note = "PAUSED"};
  // Corrects a due time from before the clock was set back: a recall skips paused jobs.
  return PauseChange{.paused = false, .due_latest = now + kWaitMax, .note = "RESUMED"};
}

}  // namespace haul::rules

#include "store/outcome.h"

namespace haul {

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::whole:
      return "whole";
    case Outcome::partly:
      return "partly";
    case Outcome::nothing:
      return "nothing";
  }
  return "nothing";
}

std::optional<Outcome> outcome_named(std::string_view text) {
  for (const Outcome outcome : {Outcome::whole, Outcome::partly, Outcome::nothing})
    if (name(outcome) == text) return outcome;
  return std::nullopt;
}

std::optional<Outcome> outcome_of(const Lifecycle& lifecycle, const State& state,
                                  const Counts& counts) {
  if (state.is_open()) return std::nullopt;
  const bool is_good = state.end == End::good;
  if (!lifecycle.items) return is_good ? Outcome::whole : Outcome::nothing;
  if (counts.completed() == 0) return Outcome::nothing;
  return is_good && counts.failed == 0 ? Outcome::whole : Outcome::partly;
}

std::optional<Outcome> outcome_of(const Job& job, const Counts& counts) {
  return outcome_of(*job.version.lifecycle, job.state(), counts);
}

}  // namespace haul

#include "lifecycle/check.h"

namespace haul {

// clang-format off
std::string_view name(Problem problem) {
  switch (problem) {
    case Problem::none: return "none";
    case Problem::no_states: return "no_states";
    case Problem::duplicate_state: return "duplicate_state";
    case Problem::unknown_state: return "unknown_state";
    case Problem::ended_at_birth: return "ended_at_birth";
    case Problem::unreachable_state: return "unreachable_state";
    case Problem::no_exit: return "no_exit";
    case Problem::stranded_lease: return "stranded_lease";
    case Problem::failed_but_held: return "failed_but_held";
    case Problem::ambiguous_trigger: return "ambiguous_trigger";
    case Problem::idle_move: return "idle_move";
    case Problem::exit_from_end: return "exit_from_end";
    case Problem::unbounded_loop: return "unbounded_loop";
    case Problem::open_answer: return "open_answer";
    case Problem::answer_without_move: return "answer_without_move";
    case Problem::odd_answer: return "odd_answer";
    case Problem::idle_answer: return "idle_answer";
    case Problem::fault_ends: return "fault_ends";
    case Problem::refused_move: return "refused_move";
    case Problem::unguarded_cancel: return "unguarded_cancel";
    case Problem::too_many_takeable: return "too_many_takeable";
    case Problem::hidden_by_lanes: return "hidden_by_lanes";
    case Problem::no_items_to_clear: return "no_items_to_clear";
    case Problem::odd_key: return "odd_key";
    case Problem::odd_again: return "odd_again";
    case Problem::idle_backoff: return "idle_backoff";
    case Problem::idle_effect: return "idle_effect";
    case Problem::idle_reasons: return "idle_reasons";
  }
  return "?";  // Not reached: the switch is complete.
}
// clang-format on

}  // namespace haul

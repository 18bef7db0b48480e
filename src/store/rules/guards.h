#pragma once
// The guards of a move. The store checks those that it can see. For the others the asker says that
// they hold (Ask::holds), and the store refuses a move whose guard the asker has not checked.

#include "store/rules/move.h"

namespace haul::rules {

// The first guard that refuses the move.
std::optional<Refusal> check_guards(const Move& move, const Ask& ask, int attempt_after,
                                    JobFacts& facts);

// For a guard that the store cannot check: refuses unless the asker says that it holds.
std::optional<Refusal> check_held(Guard guard, const ShortList<Guard, 4>& holds);

}  // namespace haul::rules

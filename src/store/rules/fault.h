#pragma once
// What the table says about a fault and about attempts. The flow answers faults with it, the store
// answers the last loss.

#include <string_view>

#include "lifecycle/table.h"

namespace haul::rules {

// Whether no attempt is left after this many.
bool is_spent(const Lifecycle& lifecycle, int attempt);

// The move that carries out a state's on_fault or on_fail. nullptr if the answer names no state.
const Move* move_to(const Lifecycle& lifecycle, std::string_view from, const Answer& answer);

}  // namespace haul::rules

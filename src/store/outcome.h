#pragma once
// Z-25: how much of its request an ended job has delivered.

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/items.h"
#include "store/job.h"

namespace haul {

enum class Outcome : std::uint8_t { whole, partly, nothing };

std::string_view name(Outcome outcome);
std::optional<Outcome> outcome_named(std::string_view text);

// Nothing while the job is open. `counts` matters only to a lifecycle with items.
std::optional<Outcome> outcome_of(const Lifecycle& lifecycle, const State& state,
                                  const Counts& counts);
std::optional<Outcome> outcome_of(const Job& job, const Counts& counts);

}  // namespace haul

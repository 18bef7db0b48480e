#include "flow/worker/lived.h"

#include <algorithm>

namespace haul::flow {

Millis lived_at(std::span<const Stretch> stretches, Time at) {
  if (stretches.empty()) return Millis{0};
  std::optional<Millis> within;
  std::optional<Millis> after;
  for (const Stretch& each : stretches) {
    if (each.from > at) continue;
    const Millis lived = each.lived_before + (std::min(at, each.to) - each.from);
    std::optional<Millis>& latest = at <= each.to ? within : after;
    latest = std::max(latest.value_or(lived), lived);
  }
  if (within) return *within;
  // `at` is before every stretch. The store removes old stretches, so the oldest that is left
  // counts.
  return after.value_or(std::ranges::min(stretches, {}, &Stretch::lived_before).lived_before);
}

Millis lived_since(std::span<const Stretch> stretches, Time at) {
  Millis newest{0};
  for (const Stretch& each : stretches)
    newest = std::max(newest, each.lived_before + (each.to - each.from));
  return std::max(Millis{0}, newest - lived_at(stretches, at));
}

std::optional<Time> older_than(std::span<const Stretch> stretches, Millis lived_now, Millis age) {
  const Millis old = lived_now - age;
  if (old < Millis{0} || stretches.empty()) return std::nullopt;
  // The stretch that is so old may have been removed: then the store cannot say when it was.
  if (std::ranges::min(stretches, {}, &Stretch::lived_before).lived_before > old)
    return std::nullopt;
  Time before = Time::max();
  for (const Stretch& each : stretches) {
    const Time becomes_young = each.from + std::max(Millis{0}, old - each.lived_before);
    if (becomes_young <= each.to) before = std::min(before, becomes_young);
  }
  return before == Time::max() ? std::nullopt : std::optional{before};
}

}  // namespace haul::flow

#include "store/rules/priority.h"

#include <fmt/core.h>

namespace haul::rules {

std::optional<Refusal> check_priority(int priority) {
  if (priority >= kPriorityMin && priority <= kPriorityMax) return std::nullopt;
  return Refusal{RefusalKind::guarded, "bad_priority",
                 fmt::format("priority: {}, not {}", kPriorityExpected, priority)};
}

std::expected<std::optional<PriorityChange>, Refusal> grant_priority(const PriorityFacts& facts) {
  if (auto refusal = check_priority(facts.wanted)) return std::unexpected{*std::move(refusal)};
  if (!facts.is_open)
    return std::unexpected{
        Refusal{RefusalKind::forbidden, "ended", "the job has ended; its priority has no use"}};
  if (facts.now == facts.wanted) return std::nullopt;
  return PriorityChange{.priority = facts.wanted,
                        .note = "PRIORITY_SET",
                        .data = fmt::format(R"({{"from":{},"to":{}}})", facts.now, facts.wanted)};
}

}  // namespace haul::rules

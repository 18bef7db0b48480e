#include "store/stuck.h"

#include <algorithm>

#include "lifecycle/tables.h"

namespace haul {

std::vector<StuckRule> default_stuck_rules() {
  std::vector<StuckRule> rules;
  for (const Lifecycle* table : all_lifecycles())
    for (const State& state : table->states)
      if (state.stuck_after.count() > 0)
        rules.push_back({std::string{table->name}, std::string{state.name}, state.stuck_after});
  return rules;
}

std::chrono::seconds stuck_after(std::span<const StuckRule> rules, std::string_view lifecycle,
                                 std::string_view state) {
  const auto found = std::ranges::find_if(rules, [&](const StuckRule& rule) {
    return rule.lifecycle == lifecycle && rule.state == state;
  });
  return found == rules.end() ? std::chrono::seconds{0} : found->after;
}

namespace {

// A job that its user wants later does not wait yet. Nothing has seen it since it was added.
Time waits_since(const Job& job) {
  const bool is_untouched = job.version.seq == 0 && !job.seen_at && job.due_at;
  return is_untouched ? std::max(job.moved_at, *job.due_at) : job.moved_at;
}

}  // namespace

bool is_stuck(std::span<const StuckRule> rules, const Job& job, Time now) {
  const auto after = stuck_after(rules, job.version.lifecycle->name, job.version.state);
  return after.count() > 0 && now - waits_since(job) > after;
}

}  // namespace haul

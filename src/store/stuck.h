#pragma once
// How long a job may be in a state before it counts as stuck (S1-13).

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "store/job.h"

namespace haul {

struct StuckRule {
  std::string lifecycle;
  std::string state;
  std::chrono::seconds after{0};

  bool operator==(const StuckRule&) const = default;
};

// The thresholds of the lifecycle tables.
std::vector<StuckRule> default_stuck_rules();

// The threshold of a state. Zero: its jobs never count as stuck.
std::chrono::seconds stuck_after(std::span<const StuckRule> rules, std::string_view lifecycle,
                                 std::string_view state);

// Whether the job has been in its state for longer than its rule allows, not just as long.
bool is_stuck(std::span<const StuckRule> rules, const Job& job, Time now);

}  // namespace haul

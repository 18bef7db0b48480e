#pragma once
// One simulated run: the real judges, flow and store, virtual time, a hostile outside. The same
// configuration gives the same trace, to the byte.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lifecycle/table.h"
#include "sim/faults.h"

namespace haul::sim {

struct Config {
  std::uint64_t seed = 1;
  const Lifecycle* lifecycle = nullptr;  // None: all five.
  int workers = 2;
  int jobs = 8;
  ChaosSet chaos = ChaosSet::all();
  std::optional<int> crash_at;  // Crash the worker around this commit (before, after, before, …).
};

// The configuration a seed stands for: how many workers and jobs, which faults are on.
Config config_for(std::uint64_t seed, const Lifecycle* lifecycle);

struct Violation {
  std::string oracle;
  std::string what;
};

struct Report {
  std::int64_t moves = 0;
  std::int64_t commits = 0;
  double simulated_days = 0;
  std::string trace;  // A hash over everything that happened.
  std::vector<Violation> violations;
};

Report run(const Config& config);

// The smallest configuration that still violates the same oracle.
Config shrink(const Config& config, const std::string& oracle);

// The command that replays it.
std::string command_for(const Config& config);

}  // namespace haul::sim

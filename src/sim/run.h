#pragma once
// One simulated run: the real judges, flow and store, with virtual time and a faulty outside. The
// same setup gives the same trace, byte for byte.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lifecycle/table.h"
#include "sim/faults.h"

namespace haul::sim {

// What a run consists of.
struct Setup {
  std::uint64_t seed = 1;
  const Lifecycle* lifecycle = nullptr;  // nullptr: all five.
  int workers = 2;
  int jobs = 8;
  ChaosSet chaos = ChaosSet::all();
  std::optional<int> crash_at;  // Where a worker crashes: 0 before the first commit, 1 after it.
};

// The setup of a seed: how many workers and jobs, which faults are on, where a worker
// crashes.
Setup setup_for(std::uint64_t seed, const Lifecycle* lifecycle);

struct Violation {
  std::string oracle;
  std::string what;
};

struct Report {
  std::int64_t moves = 0;
  std::int64_t commits = 0;
  double simulated_days = 0;
  std::string trace;  // A hash over all events.
  std::vector<Violation> violations;
};

Report run(const Setup& setup);

// A setup with fewer faults, jobs and workers that still violates the same oracle.
Setup shrink(const Setup& setup, const std::string& oracle);

// The command that replays this setup.
std::string command_for(const Setup& setup);

}  // namespace haul::sim

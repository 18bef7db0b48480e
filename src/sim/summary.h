#pragma once
// Many runs and their results, as `haul sim` prints them.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/run.h"

namespace haul::sim {

struct Summary {
  std::uint64_t seed = 0;
  int runs = 0;
  std::int64_t moves = 0;
  double simulated_days = 0;
  std::string trace;  // A hash over the traces of all runs.

  struct Found {
    Violation violation;
    std::string command;  // Replays the violation, shrunk.
  };
  std::vector<Found> found;
};

// Runs seeds `seed`, `seed` + 1, …; the configuration of each comes from `config`.
Summary simulate(std::uint64_t seed, int runs, const std::function<Config(std::uint64_t)>& config);

// Runs one job of this lifecycle without faults and counts its commits. Then runs it again with a
// worker that crashes just before each commit, and just after each commit.
Summary crash_everywhere(const Lifecycle& lifecycle);

std::string to_json(const Summary& summary);
std::string to_text(const Summary& summary);

}  // namespace haul::sim

#pragma once
// Many runs and their results, as `haul sim` prints them.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/time.h"
#include "sim/run.h"

namespace haul::sim {

struct Summary {
  std::uint64_t seed = 0;
  int runs = 0;
  std::int64_t moves = 0;
  double simulated_days = 0;
  std::string trace;  // A hash over the traces of all runs.
  Millis took{0};     // Time of this machine. The only value here that a second run changes.

  struct Found {
    Violation violation;
    std::string command;  // Replays the violation, shrunk.
  };
  std::vector<Found> found;
};

// Runs seeds `seed`, `seed` + 1, …; the setup of each comes from `setup`.
Summary simulate(std::uint64_t seed, int runs, const std::function<Setup(std::uint64_t)>& setup);

// Runs one job of this lifecycle without faults and counts its commits. Then runs it again with a
// worker that crashes just before each commit, and just after each commit.
Summary crash_everywhere(const Lifecycle& lifecycle);

// Moves per second of this machine's time. Counts less than a millisecond as one.
std::int64_t moves_per_second(const Summary& summary);

std::string to_json(const Summary& summary);
std::string to_text(const Summary& summary);

}  // namespace haul::sim

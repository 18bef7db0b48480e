#pragma once
// The simulator's outside without any faults, for its adapters in the conformance suites.

#include <algorithm>

#include "conformance/suite.h"
#include "sim/world.h"

namespace haul::conformance {

class Simulated {
 public:
  flow::Outside outside() { return world_.outside(); }
  const sim::WorldLedger& ledger() const { return world_.ledger(); }

  // Delivers sights in their order, and turns the clock from one to the next, until `so` holds.
  bool until(const So& so, Millis within) {
    const Steady end = clock_.steady() + within;
    for (world_.deliver(); !so(); world_.deliver()) {
      if (clock_.steady() >= end) return false;
      clock_.pass(std::min(world_.next().value_or(end), end) - clock_.steady());
    }
    return true;
  }

 private:
  sim::VirtualClock clock_;
  sim::World world_{clock_, 1, sim::ChaosSet{}};
};

}  // namespace haul::conformance

#pragma once
// The settings that all lifecycles share, each with the requirement it comes from. A handler with
// settings of its own has them beside it.

#include <vector>

#include "base/time.h"
#include "store/job.h"
#include "store/limits.h"
#include "store/stuck.h"

namespace haul::flow {

// A lease that differs from the lifecycle's own.
struct LeaseRule {
  const Lifecycle* lifecycle = nullptr;
  Millis after{0};  // Without a heartbeat for this long, a worker loses the job.
};

struct Settings {
  Millis poll{15'000};              // S0-18: how often haul asks a client.
  std::size_t poll_max = 100;       // S0-19: jobs that haul asks about per cycle.
  Millis missing_grace{60'000};     // Z-1: how long a job may be missing at its client.
  Millis environment_wait{30'000};  // Z-8: wait after an environment fault.
  Millis wait_max = kWaitMax;       // haul's longest wait; a longer one shows a clock set back.
  Millis answer_deadline{900'000};  // S3-24: timeout of an answer.
  Millis beat_every{2'000};
  std::vector<LeaseRule> leases{};  // A3-5: the lifecycles whose lease is configured.
  Millis sweep_every{1'000};
  std::size_t claim_max = 1'000;  // Jobs per claim and lane.
  std::size_t held_max = 2'000;   // Jobs held at once.
  Millis look_every{0};           // How often the worker looks for due work, unless woken.
  Millis write_items_every{0};    // How long changes of items wait to be written together.
  HostRule host;                  // S2-23: limits per host.
  std::vector<StuckRule> stuck = default_stuck_rules();  // S1-13.
};

// How long a worker may be silent before it loses its jobs of this lifecycle.
Millis lease_of(const Settings& settings, const Lifecycle& lifecycle);

}  // namespace haul::flow

// `haul sim`: runs simulated jobs from many seeds.
#include <fmt/core.h>

#include <ostream>

#include "base/clock.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "lifecycle/tables.h"
#include "sim/summary.h"

namespace haul::cli {
namespace {

// The setup of a seed, with the values that the command line fixes.
sim::Setup setup_of(const SimOptions& options, const Lifecycle* lifecycle, std::uint64_t seed) {
  sim::Setup setup = sim::setup_for(seed, lifecycle);
  if (options.workers) setup.workers = *options.workers;
  if (options.jobs) setup.jobs = *options.jobs;
  if (options.chaos) {
    setup.chaos = sim::ChaosSet{*options.chaos};
    setup.crash_at = options.crash_at;  // A replay without --crash-at has no crash.
  }
  if (options.crash_at) setup.crash_at = options.crash_at;
  return setup;
}

}  // namespace

int run_sim(const SimOptions& options, Terminal terminal) {
  const Lifecycle* lifecycle = find_lifecycle(options.lifecycle);
  if (!options.lifecycle.empty() && (!lifecycle || is_item(*lifecycle))) {
    terminal.err << fmt::format("haul: '{}' is not a lifecycle of jobs\n",
                                printable(options.lifecycle));
    return 2;
  }
  const Steady began = system_clock().steady();
  sim::Summary summary = sim::simulate(options.seed, options.runs, [&](std::uint64_t seed) {
    return setup_of(options, lifecycle, seed);
  });
  summary.took = system_clock().steady() - began;
  terminal.out << (options.json ? to_json(summary) + "\n" : to_text(summary));
  return summary.found.empty() ? 0 : 1;
}

}  // namespace haul::cli

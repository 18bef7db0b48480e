#include "sim/summary.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"

namespace haul::sim {
namespace {

constexpr std::size_t kFoundMax = 10;  // Limited, because shrinking needs many more runs.

void add(Summary& summary, const Setup& setup) {
  const Report report = run(setup);
  summary.runs += 1;
  summary.moves += report.moves;
  summary.simulated_days += report.simulated_days;
  summary.trace = sha256_hex(summary.trace + report.trace).substr(0, 16);
  for (const Violation& violation : report.violations) {
    if (summary.found.size() >= kFoundMax) return;
    summary.found.push_back({violation, command_for(shrink(setup, violation.oracle))});
  }
}

}  // namespace

Summary simulate(std::uint64_t seed, int runs, const std::function<Setup(std::uint64_t)>& setup) {
  Summary summary{.seed = seed};
  for (int i = 0; i < runs; ++i) add(summary, setup(seed + static_cast<std::uint64_t>(i)));
  return summary;
}

Summary crash_everywhere(const Lifecycle& lifecycle) {
  Setup golden{.seed = 1, .lifecycle = &lifecycle, .workers = 2, .jobs = 1, .chaos = ChaosSet{}};
  Summary summary{.seed = golden.seed};
  const std::int64_t commits = run(golden).commits;
  for (std::int64_t at = 0; at < commits; ++at) {
    golden.crash_at = static_cast<int>(at);
    add(summary, golden);
  }
  return summary;
}

std::int64_t moves_per_second(const Summary& summary) {
  return summary.moves * 1'000 / std::max<std::int64_t>(summary.took.count(), 1);
}

std::string to_json(const Summary& summary) {
  std::string found;
  for (const Summary::Found& each : summary.found)
    found += fmt::format(R"({}{{"oracle":{},"what":{},"replay":{}}})", found.empty() ? "" : ",",
                         json_quoted(each.violation.oracle), json_quoted(each.violation.what),
                         json_quoted(each.command));
  return fmt::format(R"({{"seed":{},"runs":{},"moves":{},"simulated_days":{:.3f},)"
                     R"("moves_per_second":{},"violations":{},"trace":"{}","found":[{}]}})",
                     summary.seed, summary.runs, summary.moves, summary.simulated_days,
                     moves_per_second(summary), summary.found.size(), summary.trace, found);
}

std::string to_text(const Summary& summary) {
  std::string text =
      fmt::format("{} runs from seed {}: {} moves, {:.1f} simulated days, trace {}\n", summary.runs,
                  summary.seed, summary.moves, summary.simulated_days, summary.trace);
  text += fmt::format("{} moves per second\n", moves_per_second(summary));
  for (const Summary::Found& each : summary.found)
    text += fmt::format("violated: {}: {}\n  replay: {}\n", each.violation.oracle,
                        each.violation.what, each.command);
  if (summary.found.empty()) text += "no violation\n";
  return text;
}

}  // namespace haul::sim

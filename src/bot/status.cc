// Collects what /status tells: queue depth, jobs by state, stuck ones, the age of the last
// heartbeat, and the most frequent errors.

#include <algorithm>
#include <chrono>
#include <map>

#include "bot/reception.h"
#include "lifecycle/tables.h"

namespace haul::bot {
namespace {

constexpr std::size_t kWorkersMax = 100;
constexpr std::size_t kJobsMax = 1'000;
constexpr std::size_t kErrorJobs = 100;  // The newest failed ones.
constexpr std::size_t kErrorsShown = 5;

// Relays held by workers that have been silent for longer than their lease (S3-6).
std::int64_t count_stuck(Store& store, Time now, Millis lease) {
  std::int64_t stuck = 0;
  for (const WorkerRow& worker : store.workers().holders(kWorkersMax)) {
    if (now - worker.beat_at <= lease) continue;
    for (const Job& job : store.reader().leased(worker.id, {}, kJobsMax))
      stuck += job.version.lifecycle == &kRelay ? 1 : 0;
  }
  return stuck;
}

std::vector<std::pair<std::string, std::int64_t>> top_errors(Store& store) {
  std::map<std::string, std::int64_t> counts;
  const JobPage page = store.reader().list(
      {.lifecycle = std::string{kRelay.name}, .end = End::bad, .limit = kErrorJobs});
  for (const Job& job : page.jobs) ++counts[job.reason];
  std::vector<std::pair<std::string, std::int64_t>> errors{counts.begin(), counts.end()};
  std::ranges::stable_sort(errors, std::greater{}, &std::pair<std::string, std::int64_t>::second);
  if (errors.size() > kErrorsShown) errors.resize(kErrorsShown);
  return errors;
}

}  // namespace

BotStatus status_of(Store& store, Time now, Millis lease) {
  BotStatus status{.stuck = count_stuck(store, now, lease), .errors = top_errors(store)};
  for (const StateCount& each : store.reader().tally({})) {
    if (each.lifecycle != &kRelay) continue;
    status.states.emplace_back(each.state, each.jobs);
    if (each.state == kRelay.initial().name) status.queued = each.jobs;
  }
  for (const WorkerRow& worker :
       store.workers().list(now - std::chrono::minutes{10}, kWorkersMax)) {
    const auto age = std::chrono::duration_cast<std::chrono::seconds>(now - worker.beat_at).count();
    status.beat_age_s = std::min(status.beat_age_s.value_or(age), age);
  }
  return status;
}

}  // namespace haul::bot

#include "flow/worker/hear.h"

#include <optional>
#include <vector>

#include "base/ensure.h"

namespace haul::flow {
namespace {

constexpr std::size_t kWordsMax = 1'000;

}  // namespace

void hear_users(Desk& desk) {
  std::vector<IntentId> others;
  std::vector<JobId> ids;
  for (const Intent& said : desk.next_open(kImportIntent, kWordsMax)) {
    const auto found = desk.held.find(said.job);
    if (found == desk.held.end()) {
      others.push_back(said.id);
      ids.push_back(said.job);
    } else if (found->second.again_at) {
      found->second.again_at = desk.clock.steady();
    }
  }
  if (ids.empty()) return;
  const std::vector<std::optional<Job>> jobs = desk.store.reader().find(ids);
  ensure(jobs.size() == ids.size(), "the store answers for every job");
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::optional<Job>& job = jobs[i];
    if (!job || !job->state().is_open())
      desk.store.intents().settle(others[i], IntentState::failed, "ended", desk.now());
  }
}

}  // namespace haul::flow

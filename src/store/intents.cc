#include "store/intents.h"

#include <algorithm>
#include <utility>

namespace haul {

// A client recognises a job that it was given, so a hand-over is safe to repeat.
bool is_act(std::string_view kind) {
  constexpr std::string_view kOthers[] = {kClearIntent,  kCancelIntent,   kPauseIntent,
                                          kImportIntent, kHandOverIntent, kPlanIntent};
  return std::ranges::find(kOthers, kind) == std::end(kOthers);
}

std::optional<Intent> Intents::find_open(JobId job, std::string_view kind) {
  const std::vector<Intent> open = open_of(job);
  const auto found = std::ranges::find(open, kind, &Intent::kind);
  return found == open.end() ? std::nullopt : std::optional{*found};
}

std::vector<std::vector<Intent>> Intents::first_and_open(std::span<const JobId> jobs) {
  std::vector<std::vector<Intent>> all = of(jobs);
  for (std::vector<Intent>& some : all) {
    if (some.size() < kIntentsPerJob) continue;
    const IntentId last = some.back().id;
    for (Intent& open : open_of(some.back().job))
      if (open.id > last) some.push_back(std::move(open));
  }
  return all;
}

}  // namespace haul

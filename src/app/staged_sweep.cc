#include "app/staged_sweep.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/file/part_name.h"

namespace haul::app {
namespace {

constexpr std::size_t kFilesAtOnce = 100;
constexpr Millis kEvery{std::chrono::minutes{10}};
constexpr Millis kBetween{1'000};

}  // namespace

StagedSweep::StagedSweep(Store& store, std::filesystem::path folder, MayRemove may_remove)
    : store_{store}, folder_{std::move(folder)}, may_remove_{std::move(may_remove)} {}

Millis StagedSweep::step() {
  if (store_.identity().is_restored()) return kEvery;
  const auto folder = io::Folder::open(folder_, io::Folder::Missing::fault);
  if (!folder) return kEvery;
  std::vector<std::string> names = folder->names("");
  std::erase_if(names, [this](const std::string& name) {
    return name <= after_ || name == "." || name == "..";
  });
  std::ranges::sort(names);
  const bool is_last = names.size() <= kFilesAtOnce;
  if (!is_last) names.resize(kFilesAtOnce);
  remove_ended(*folder, names);
  after_ = is_last ? std::string{} : names.back();
  return is_last ? kEvery : kBetween;
}

void StagedSweep::remove_ended(const io::Folder& folder, const std::vector<std::string>& names) {
  std::vector<std::pair<JobId, std::string>> ours;
  std::vector<JobId> ids;
  for (const std::string& name : names) {
    std::string_view rest = name;
    const auto owner = io::take_owner(rest);
    if (!owner || owner->store != store_.identity().id()) continue;
    ours.emplace_back(owner->job, name);
    ids.push_back(owner->job);
  }
  const std::vector<std::optional<Job>> jobs = store_.reader().find(ids);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const std::optional<Job>& job = jobs[i];
    if (job && job->state().end == End::open) continue;
    if (!may_remove_()) return;
    folder.remove(ours[i].second);
  }
}

}  // namespace haul::app

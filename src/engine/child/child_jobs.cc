#include "engine/child/child_jobs.h"

namespace haul::child {
namespace {

constexpr int kForgetAfter = 100;  // Calls of forget_idle() in a row that find the job idle.

}  // namespace

Result<std::shared_ptr<ChildJob>> ChildJobs::open(const Order& order, io::Folder::Missing missing) {
  const Key key{order.job, order.fence};
  if (const auto known = jobs_.find(key); known != jobs_.end()) return known->second->job;
  auto request = engine::read_get_request(order.request.text());
  if (!request) return std::unexpected{request.error()};
  auto folder = io::open_destination(destinations_, request->folder, missing);
  if (!folder) return std::unexpected{folder.error()};

  auto known = std::make_unique<Known>();
  const io::PartOwner holder = io::owner_of(order);
  for (const std::string& name : folder->names(kStagingEnd))
    if (const auto owner = owner_of_staging(name); owner && owner->is_before(holder))
      remove_staging(folder->held_path(), name);
  known->job->request = *std::move(request);
  known->job->landing = io::landing_folder(*std::move(folder), holder);
  // A program delivers few files, so asking the folder costs little and saves a second choice.
  known->job->landing.crowded = true;
  return jobs_.emplace(key, std::move(known)).first->second->job;
}

void ChildJobs::forget_idle(const std::function<bool(const Key&)>& is_wanted) {
  std::erase_if(jobs_, [&](const auto& each) {
    const bool idle = each.second->job.use_count() == 1 && !is_wanted(each.first);
    each.second->idle = idle ? each.second->idle + 1 : 0;
    return each.second->idle > kForgetAfter;
  });
}

}  // namespace haul::child

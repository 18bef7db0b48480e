#include "engine/child/child_jobs.h"

#include "engine/http/checkpoint.h"

namespace haul {
namespace {

constexpr int kForgetAfter = 100;  // Calls of forget_idle() in a row that find the job idle.

}  // namespace

Result<std::shared_ptr<ChildJob>> ChildJobs::open(const Order& order, Folder::Missing missing) {
  const Key key{order.job, order.fence};
  if (const auto known = jobs_.find(key); known != jobs_.end()) return known->second->job;
  auto request = read_get_request(order.request.text());
  if (!request) return std::unexpected{request.error()};
  auto folder = open_destination(destinations_, request->folder, missing);
  if (!folder) return std::unexpected{folder.error()};

  auto known = std::make_unique<Known>();
  const auto is_earlier = [&](const PartOwner& owner) {
    return owner.store == order.store && owner.job == order.job && owner.fence < order.fence;
  };
  for (const std::string& name : folder->names(kStagingEnd))
    if (const auto owner = owner_of_staging(name); owner && is_earlier(*owner))
      remove_staging(folder->held_path(), name);
  for (const std::string& name : folder->names(".part"))
    if (const auto owner = owner_of_part(name); owner && is_earlier(*owner))
      known->left[owner->item].push_back(name);
  known->job->request = *std::move(request);
  known->job->folder = std::make_shared<const Folder>(*std::move(folder));
  return jobs_.emplace(key, std::move(known)).first->second->job;
}

void ChildJobs::clear_parts(const Order& order, const std::string& but_for) {
  const auto known = jobs_.find({order.job, order.fence});
  if (known == jobs_.end()) return;
  const auto left = known->second->left.extract(order.item);
  if (left.empty()) return;
  for (const std::string& part : left.mapped())
    if (part != but_for) known->second->job->folder->remove(part);
}

void ChildJobs::forget_idle(const std::function<bool(const Key&)>& is_wanted) {
  std::erase_if(jobs_, [&](const auto& each) {
    const bool idle = each.second->job.use_count() == 1 && !is_wanted(each.first);
    each.second->idle = idle ? each.second->idle + 1 : 0;
    return each.second->idle > kForgetAfter;
  });
}

void ChildJobs::remove_part(const Order& order) const {
  const Checkpoint kept = Checkpoint::from_json(order.checkpoint);
  const auto request = read_get_request(order.request.text());
  if (kept.part.empty() || !request) return;
  const auto folder = open_destination(destinations_, request->folder, Folder::Missing::fault);
  if (!folder) return;
  const auto mark = folder->find(kept.part);
  if (mark && mark->inode == kept.inode) folder->remove(kept.part);
}

}  // namespace haul

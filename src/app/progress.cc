#include "app/progress.h"

#include <fmt/core.h>

#include "base/host.h"
#include "base/redact.h"
#include "io/file/filename.h"

namespace haul::app {

std::string name_of(const std::string& path, const std::string& url) {
  if (!path.empty()) return path.substr(path.rfind('/') + 1);
  const std::string name = io::url_name(url);
  return name.empty() ? host_of(url) : name;
}

std::string status_of(const flow::TransferView& view) {
  if (view.retry_in) {
    const auto left = std::chrono::ceil<std::chrono::seconds>(*view.retry_in).count();
    return fmt::format("Retrying in {} s ({})", left, view.reason);
  }
  if (view.phase != flow::TransferView::Phase::moving) return "Landing";
  return view.status.empty() ? "Downloading" : view.status;
}

std::map<JobId, api::JobProgress> ProgressLook::look(const flow::Worker& worker, Steady now) {
  std::map<JobId, api::JobProgress> all;
  decltype(speeds_) speeds;
  for (const flow::HeldJob& held : worker.holding()) {
    const std::vector<flow::TransferView> views = worker.transfers(held.job);
    if (views.empty()) continue;
    api::JobProgress& job = all[held.job] = {.job = held.job, .owner = held.owner, .size = 0};
    for (const flow::TransferView& view : views) {
      Speed& speed = speeds[{held.job, view.item}] = std::move(speeds_[{held.job, view.item}]);
      speed.see(now, view.have);
      const auto left = view.size ? std::optional{*view.size - view.have} : std::nullopt;
      const bool is_item = view.item > 0;
      if (is_item)
        job.items.push_back({.n = view.item,
                             .name = name_of(view.path, view.url),
                             .key = redacted(view.key),
                             .url = redacted(view.url),
                             .path = view.path,
                             .have = view.have,
                             .size = view.size,
                             .speed = speed.per_second(),
                             .eta = eta(left, speed.per_second()),
                             .status = status_of(view)});
      job.have += view.have;
      job.speed += speed.per_second();
      job.size = job.size && view.size ? std::optional{*job.size + *view.size} : std::nullopt;
    }
    job.eta = eta(job.size ? std::optional{*job.size - job.have} : std::nullopt, job.speed);
  }
  for (const flow::ClientTransfer& seen : worker.at_client()) {
    const auto left = seen.size ? std::optional{*seen.size - seen.have} : std::nullopt;
    all[seen.job] = {.job = seen.job,
                     .owner = seen.owner,
                     .have = seen.have,
                     .size = seen.size,
                     .speed = seen.speed,
                     .eta = eta(left, seen.speed)};
  }
  speeds_ = std::move(speeds);
  mark_still(all, now);
  return all;
}

void ProgressLook::mark_still(std::map<JobId, api::JobProgress>& all, Steady now) {
  std::map<JobId, Have> have;
  for (auto& [id, job] : all) {
    const auto before = have_.find(id);
    const bool is_still = before != have_.end() && before->second.bytes == job.have;
    have[id] = {job.have, is_still ? before->second.since : now};
    job.still_since = have[id].since;
  }
  have_ = std::move(have);
}

}  // namespace haul::app

#include "app/progress.h"

#include <fmt/core.h>

#include <utility>

#include "api/live/job_sum.h"
#include "base/host.h"
#include "base/redact.h"
#include "io/file/filename.h"

namespace haul::app {
namespace {

constexpr std::int64_t kWhole = -1;  // In place of an item: the whole job.

std::optional<std::chrono::seconds> seconds_up(const std::optional<Millis>& time) {
  if (!time) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(*time);
}

// Of the items of these jobs, in their order, with one read.
std::vector<Counts> counts_of(Store& store, const std::vector<flow::HeldJob>& held_jobs) {
  std::vector<JobId> jobs;
  jobs.reserve(held_jobs.size());
  for (const flow::HeldJob& held : held_jobs) jobs.push_back(held.job);
  return store.items().counts(jobs);
}

}  // namespace

std::string name_of(const std::string& path, const std::string& url) {
  if (!path.empty()) return path.substr(path.rfind('/') + 1);
  const std::string name = io::url_name(url);
  return name.empty() ? host_of(url) : name;
}

std::string status_of(const flow::TransferView& view) {
  if (const auto wait = seconds_up(view.retry_in)) {
    const std::string why = view.reason.empty() ? "" : " (" + view.reason + ")";
    return fmt::format("Retrying in {} s{}", wait->count(), why);
  }
  if (view.phase != flow::TransferView::Phase::moving) return "Landing";
  return view.status.empty() ? "Downloading" : view.status;
}

api::ItemProgress ProgressLook::item_of(JobId job, const flow::TransferView& view, Steady now,
                                        std::map<Key, Speed>& speeds) {
  Speed& speed = speeds[{job, view.item}] = std::move(speeds_[{job, view.item}]);
  speed.see(now, view.received);
  const auto left = view.size ? std::optional{*view.size - view.have} : std::nullopt;
  return {.n = view.item,
          .name = name_of(view.path, view.url),
          .key = redacted(view.key),
          .url = redacted(view.url),
          .path = view.path,
          .have = view.have,
          .size = view.size,
          .speed = speed.per_second(),
          .eta = eta(left, speed.per_second()),
          .status = status_of(view),
          .retry_in = seconds_up(view.retry_in),
          .reason = view.reason,
          .still_since = still_since({job, view.item}, view.have, now)};
}

std::map<JobId, api::JobProgress> ProgressLook::look(Store& store, const flow::Worker& worker,
                                                     Steady now) {
  std::map<JobId, api::JobProgress> all;
  std::map<Key, Speed> speeds;
  const std::vector<flow::HeldJob> held_jobs = worker.holding();
  const std::vector<Counts> counts = counts_of(store, held_jobs);
  for (std::size_t i = 0; i < held_jobs.size(); ++i) {
    const flow::HeldJob& held = held_jobs[i];
    const std::optional<flow::OpenItems> open = worker.open_items(held.job);
    const std::vector<flow::TransferView> views = worker.transfers(held.job);
    if (views.empty() && !open) continue;
    api::JobProgress& job = all[held.job] = {.job = held.job, .owner = held.owner};
    for (const flow::TransferView& view : views)
      job.items.push_back(item_of(held.job, view, now, speeds));
    if (!open) {  // The whole job is one transfer.
      const api::ItemProgress whole = std::move(job.items.front());
      job.items.clear();
      job.have = whole.have;
      job.size = whole.size;
      job.speed = whole.speed;
      job.eta = whole.eta;
      continue;
    }
    Speed& speed = speeds[{held.job, kWhole}] = std::move(speeds_[{held.job, kWhole}]);
    speed.see(now, open->received);
    job.speed = speed.per_second();
    const api::JobSum sum = api::sum_of(counts[i], *open, job.speed);
    job.have = sum.have;
    job.size = sum.size;
    job.eta = sum.eta;
    job.size_least = sum.size_least;
    job.eta_least = sum.eta_least;
    job.waits_for = open->waits_for;
  }
  add_clients(worker, all);
  for (auto& [id, job] : all) job.still_since = still_since({id, kWhole}, job.have, now);
  speeds_ = std::move(speeds);
  have_ = std::exchange(seen_, {});
  return all;
}

void ProgressLook::add_clients(const flow::Worker& worker, std::map<JobId, api::JobProgress>& all) {
  for (const flow::ClientTransfer& seen : worker.at_client()) {
    const auto left = seen.size ? std::optional{*seen.size - seen.have} : std::nullopt;
    all[seen.job] = {.job = seen.job,
                     .owner = seen.owner,
                     .have = seen.have,
                     .size = seen.size,
                     .speed = seen.speed,
                     .eta = eta(left, seen.speed)};
  }
}

Steady ProgressLook::still_since(const Key& key, std::int64_t bytes, Steady now) {
  const auto before = have_.find(key);
  const bool is_still = before != have_.end() && before->second.bytes == bytes;
  const Steady since = is_still ? before->second.since : now;
  seen_[key] = {bytes, since};
  return since;
}

}  // namespace haul::app

#pragma once
// The jobs a program works for, one per lease, kept while any work of the job runs. Also knows what
// earlier leaseholders have left.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "engine/child/run.h"

namespace haul::child {

class ChildJobs {
 public:
  using Key = std::pair<JobId, std::int64_t>;  // Job and fence.

  explicit ChildJobs(const io::Destinations& destinations) : destinations_{destinations} {}

  // Returns the job, opening it if necessary. Opening ends the processes of earlier leaseholders
  // and removes their staging folders.
  Result<std::shared_ptr<ChildJob>> open(const Order& order, io::Folder::Missing missing);
  // The job must be open.
  const std::shared_ptr<ChildJob>& at(const Key& key) const { return jobs_.at(key)->job; }
  // Called periodically. Forgets a job after a while in which nothing uses or wants it.
  void forget_idle(const std::function<bool(const Key&)>& is_wanted);

 private:
  struct Known {
    std::shared_ptr<ChildJob> job = std::make_shared<ChildJob>();
    int idle = 0;
  };
  const io::Destinations& destinations_;
  std::map<Key, std::unique_ptr<Known>> jobs_;
};

}  // namespace haul::child

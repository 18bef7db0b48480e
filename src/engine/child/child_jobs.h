#pragma once
// The jobs a program works for, one per lease, kept while any work of the job runs. Also knows what
// earlier leaseholders have left.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/child/run.h"

namespace haul {

class ChildJobs {
 public:
  using Key = std::pair<JobId, std::int64_t>;  // Job and fence.

  explicit ChildJobs(const Destinations& destinations) : destinations_{destinations} {}

  // Returns the job, opening it if necessary. Opening ends the processes of earlier leaseholders
  // and removes their staging folders.
  Result<std::shared_ptr<ChildJob>> open(const Order& order, Folder::Missing missing);
  // The job must be open.
  const std::shared_ptr<ChildJob>& at(const Key& key) const { return jobs_.at(key)->job; }
  // Removes the item's parts that earlier leaseholders left, except `but_for`, which the item still
  // uses.
  void clear_parts(const Order& order, const std::string& but_for);
  // Called periodically. Forgets a job after a while in which nothing uses or wants it.
  void forget_idle(const std::function<bool(const Key&)>& is_wanted);

  // Removes the part of an item that is not running. The item's checkpoint names the part.
  void remove_part(const Order& order) const;

 private:
  struct Known {
    std::shared_ptr<ChildJob> job = std::make_shared<ChildJob>();
    std::map<std::int64_t, std::vector<std::string>> left;  // Parts of earlier leases, by item.
    int idle = 0;
  };
  const Destinations& destinations_;
  std::map<Key, std::unique_ptr<Known>> jobs_;
};

}  // namespace haul

#pragma once
// The jobs a program works for, one per lease, for as long as anything of them is at work; and what
// earlier holders of them have left.

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
  using Key = std::pair<JobId, std::int64_t>;  // With its fence.

  explicit ChildJobs(const Destinations& destinations) : destinations_{destinations} {}

  // Clears away the processes of earlier holders, and their folders.
  Result<std::shared_ptr<ChildJob>> open(const Order& order, Folder::Missing missing);
  // Of one that is open.
  const std::shared_ptr<ChildJob>& at(const Key& key) const { return jobs_.at(key)->job; }
  // Removes the parts of the item that earlier holders left, but for the one it goes on with.
  void clear_parts(const Order& order, const std::string& but_for);
  // Now and then.
  void forget_idle(const std::function<bool(const Key&)>& is_wanted);

  // Of an item that is not at work: its checkpoint says what it left.
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

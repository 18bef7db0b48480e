#pragma once
// The last reported progress of running transfers, and troubles with outside parts. In memory only.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/mutex.h"
#include "base/time.h"

namespace haul::api {

struct ItemProgress {
  std::int64_t n = 0;
  std::string name;
  std::string key;   // Identifies the item within its job.
  std::string url;   // Without secrets.
  std::string path;  // Empty until it is known.
  std::int64_t have = 0;
  std::optional<std::int64_t> size;
  double speed = 0;  // Bytes a second.
  std::optional<std::chrono::seconds> eta;
  std::string status;
  std::optional<std::chrono::seconds> retry_in{};  // Set if it failed and waits for another try.
  std::string reason{};                            // Code of its last failure.
  Steady still_since{};                            // No byte has arrived since then.
};

struct JobProgress {
  JobId job;
  UserId owner;
  std::int64_t have = 0;
  std::optional<std::int64_t> size;  // Of the whole job. Nullopt if any item's size is unknown.
  double speed = 0;
  std::optional<std::chrono::seconds> eta;
  // If the size is unknown: it and the time left are at least these.
  std::optional<std::int64_t> size_least{};
  std::optional<std::chrono::seconds> eta_least{};
  bool is_resting = false;          // The last numbers of a job that does not run now.
  std::string waits_for{};          // The host that all its items wait for, if any.
  std::vector<ItemProgress> items;  // Only those in progress.
  Steady still_since;               // No byte has arrived since then.
};

// While this part is in trouble, the daemon takes no work.
inline constexpr const char* kStorePart = "store";

struct Trouble {
  std::string code;
  std::string detail;
};

class LiveProgress {
 public:
  // Replaces everything: a job that is not in `all` is no longer running. Its last numbers stay,
  // for a job that is paused or waits.
  void put_up(std::map<JobId, JobProgress> all) {
    const Lock lock{mutex_};
    for (auto& [job, last] : all_)
      if (!all.contains(job)) rest(std::move(last));
    for (const auto& [job, progress] : all) resting_.erase(job);
    all_ = std::move(all);
  }
  // Reports trouble with an outside part of the daemon. An empty code clears it.
  void put_trouble(const std::string& part, const std::string& code, const std::string& detail) {
    const Lock lock{mutex_};
    if (code.empty())
      troubles_.erase(part);
    else
      troubles_[part] = {code, detail};
  }
  std::map<std::string, Trouble> troubles() const {
    const Lock lock{mutex_};
    return troubles_;
  }

  // Jobs that have received no byte since then, longest idle first. Owner zero: any owner.
  std::vector<JobId> still(Steady since, UserId owner) const {
    const Lock lock{mutex_};
    std::multimap<Steady, JobId> found;
    for (const auto& [job, progress] : all_)
      if (progress.still_since <= since && (!owner || progress.owner == owner))
        found.emplace(progress.still_since, job);
    std::vector<JobId> jobs;
    for (const auto& [at, job] : found) jobs.push_back(job);
    return jobs;
  }
  std::optional<JobProgress> find(JobId job) const {
    const Lock lock{mutex_};
    const auto found = all_.find(job);
    return found == all_.end() ? std::nullopt : std::optional{found->second};
  }
  // Bytes per second of all jobs together.
  double speed() const {
    const Lock lock{mutex_};
    double sum = 0;
    for (const auto& [job, progress] : all_) sum += progress.speed;
    return sum;
  }
  // The last numbers of a job that no longer runs, without speed and items.
  std::optional<JobProgress> last(JobId job) const {
    const Lock lock{mutex_};
    const auto found = resting_.find(job);
    return found == resting_.end() ? std::nullopt : std::optional{found->second.last};
  }

  // How many jobs that no longer run it remembers. Then it forgets those that stopped first.
  static constexpr std::size_t kRestingMax = 1'000;

 private:
  struct Rested {
    std::uint64_t turn = 0;  // Grows with each job that stops.
    JobProgress last{};
  };

  void rest(JobProgress last) REQUIRES(mutex_) {
    last.is_resting = true;
    last.speed = 0;
    last.eta.reset();
    last.eta_least.reset();
    last.waits_for.clear();
    last.items.clear();
    const JobId job = last.job;
    resting_.insert_or_assign(job, Rested{++turns_, std::move(last)});
    if (resting_.size() <= kRestingMax) return;
    const auto turn_of = [](const auto& each) { return each.second.turn; };
    resting_.erase(std::ranges::min_element(resting_, {}, turn_of));
  }

  mutable Mutex mutex_;
  std::uint64_t turns_ GUARDED_BY(mutex_) = 0;
  std::map<JobId, Rested> resting_ GUARDED_BY(mutex_);
  std::map<JobId, JobProgress> all_ GUARDED_BY(mutex_);
  std::map<std::string, Trouble> troubles_ GUARDED_BY(mutex_);
};

}  // namespace haul::api

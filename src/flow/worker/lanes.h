#pragma once
// Lanes keep one blocked host, lifecycle or greedy owner from starving the others. A lane is the
// host of a job's first address, fixed when it is added, or the name of its lifecycle: the table
// says which. Lifecycles with lanes by host share the lane of a host.

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "lifecycle/table.h"

namespace haul::flow {

// The lane of a new job, from the fields of its request. Empty for the lifecycle's name.
std::string lane_of(const Lifecycle& lifecycle, std::span<const JsonField> request);
// The lifecycles whose jobs may be in a lane.
std::vector<const Lifecycle*> lifecycles_in(std::string_view lane);
// Whether the lanes of a lifecycle are hosts.
bool has_host_lanes(const Lifecycle& lifecycle);

// How many jobs a worker can hold. All lanes share this.
struct Capacity {
  std::size_t all = 0;
  std::size_t free = 0;
  std::size_t per_host = 2;

  // While more than half is free, each lane may use its full limit.
  bool is_ample() const { return free * 2 > all; }
};

struct LaneRoom {
  std::size_t limit = 0;    // Jobs this worker may take now.
  std::size_t at_once = 0;  // Jobs of the lane that may run on all workers; 0 for no limit.
};

// A host's lane gets `per_host` jobs, or one when capacity is short. Any other lane leaves a
// quarter of the capacity to the rest, but may always have one job; `at_once` is its own limit, 0
// for none. `running` counts its jobs on this worker.
LaneRoom room_in_lane(const Lifecycle& lifecycle, const Capacity& capacity, std::size_t running,
                      std::size_t at_once = 0);

// The lanes of the jobs that a worker holds.
class HeldLanes {
 public:
  void begin(const std::string& lane) { ++running_[lane]; }
  void end(const std::string& lane);
  std::size_t running(const std::string& lane) const;

  // Marks a lane that may have more due jobs than may run. When one of its jobs ends, the worker
  // claims the next at once.
  void set_crowded(const std::string& lane) { crowded_.insert(lane); }
  void set_empty(const std::string& lane) { crowded_.erase(lane); }
  bool is_crowded(const std::string& lane) const { return crowded_.contains(lane); }
  // A job of the lane has ended, and its turn is not taken yet.
  bool is_vacated(const std::string& lane) const { return vacated_.contains(lane); }
  // Crowded lanes of which a job has ended since this was last asked.
  std::vector<std::string> take_vacated();

  std::string turn;  // The last lane that claim() has served; the next look starts after it.

 private:
  std::map<std::string, std::size_t> running_;
  std::set<std::string> crowded_;
  std::set<std::string> vacated_;
};

}  // namespace haul::flow

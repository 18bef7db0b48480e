#include "flow/worker/claim.h"

#include <algorithm>

#include "base/ensure.h"
#include "flow/worker/handler.h"
#include "flow/worker/restored.h"

namespace haul::flow {
namespace {

// Lanes per page. A look reads more pages only while it finds work, and the next look continues
// after it, so that thousands of lanes cost little.
constexpr std::size_t kLanesAtOnce = 128;
constexpr int kPagesMax = 8;

}  // namespace

Capacity capacity_of(const Desk& desk) {
  const std::size_t all = desk.settings.held_max;
  return {.all = all,
          .free = all - std::min(all, desk.held.size()),
          .per_host = desk.settings.host.at_once};
}

namespace {

bool begins(const Desk& desk, const Lifecycle& lifecycle) {
  if (!lifecycle.is_claimed() || !desk.is_ready(lifecycle)) return false;
  return !desk.is_restored() || begins_when_restored(lifecycle);
}

// One look at some lanes. All claims are one transaction.
class ClaimRound {
 public:
  explicit ClaimRound(Desk& desk) : desk_{desk}, capacity_{capacity_of(desk)} {}

  bool has_room() const { return capacity_.free > 0; }

  // Asks for jobs of the lane. If several lifecycles share it, chance decides which asks first.
  void ask(const std::string& lane) {
    const std::vector<const Lifecycle*> sharing = lifecycles_in(lane);
    const std::size_t running = desk_.lanes.running(lane);
    const std::size_t first = first_of(sharing.size());
    for (std::size_t i = 0; i < sharing.size(); ++i)
      ask(*sharing[(first + i) % sharing.size()], lane, running);
  }

  void claim() {
    if (asks_.empty()) return;
    ensure(before_.size() == asks_.size(), "every ask knows its lane");
    const std::vector<Claim> claims = desk_.store.jobs().claim_all(asks_, desk_.now());
    std::size_t most = 0;
    for (const ClaimRequest& each : asks_) most += each.limit;
    ensure(claims.size() <= most, "the store claims no more jobs than it was asked for");
    take_claimed(desk_, claims);
    for (std::size_t i = 0; i < asks_.size(); ++i) {
      const bool all_it_may = desk_.lanes.running(asks_[i].lane) >= before_[i] + asks_[i].limit;
      // Its other jobs may wait because their owner has enough that run.
      if (all_it_may || asks_[i].per_owner > 0)
        desk_.lanes.set_crowded(asks_[i].lane);
      else
        desk_.lanes.set_empty(asks_[i].lane);
    }
  }

 private:
  std::size_t first_of(std::size_t count) const {
    if (count < 2) return 0;
    const double drawn = desk_.random.chance() * static_cast<double>(count);
    return std::min(count - 1, static_cast<std::size_t>(drawn));
  }

  // How many jobs of a lifecycle may begin, for all that its service says.
  std::size_t most_of(const Lifecycle& lifecycle) const {
    const LifecycleWork* work = find_work(desk_.work, lifecycle);
    if (!work) return ServiceHold::kAll;
    return work->hold->take(desk_.clock.steady(), desk_.settings.environment_wait);
  }

  void ask(const Lifecycle& lifecycle, const std::string& lane, std::size_t running) {
    if (!begins(desk_, lifecycle)) return;
    const LifecycleWork& work = *find_work(desk_.work, lifecycle);
    const LaneRoom room = room_in_lane(lifecycle, capacity_, running, work.limits.at_once);
    std::size_t limit = std::min(room.limit, desk_.settings.claim_max);
    if (limit == 0 && running > 0) desk_.lanes.set_crowded(lane);
    if (limit > 0) limit = std::min(limit, most_of(lifecycle));
    if (limit == 0) return;
    before_.push_back(running);
    asks_.push_back({.lifecycle = &lifecycle,
                     .lane = lane,
                     .worker = desk_.worker,
                     .limit = limit,
                     .at_once = room.at_once,
                     .per_owner = work.limits.per_owner,
                     .refuses = work.refuses});
    capacity_.free -= limit;
  }

  Desk& desk_;
  Capacity capacity_;
  std::vector<ClaimRequest> asks_;
  std::vector<std::size_t> before_;  // Per ask: jobs of its lane that ran already.
};

// Claims from each lane while there is capacity. Returns how many lanes had their turn.
std::size_t claim_from(Desk& desk, std::span<const std::string> lanes) {
  ClaimRound round{desk};
  std::size_t turns = 0;
  for (; turns < lanes.size() && round.has_room(); ++turns) round.ask(lanes[turns]);
  round.claim();
  return turns;
}

}  // namespace

// If capacity is short, claim() serves the lanes in turn instead, so that none waits for ever.
void refill(Desk& desk) {
  const std::vector<std::string> lanes = desk.lanes.take_vacated();
  if (!lanes.empty() && capacity_of(desk).is_ample()) claim_from(desk, lanes);
}

void claim(Desk& desk) {
  for (int page_number = 0; page_number < kPagesMax; ++page_number) {
    const std::size_t before = desk.held.size();
    const LanePage page = desk.store.reader().lanes(desk.lanes.turn, desk.now(), kLanesAtOnce);
    const std::size_t turns = claim_from(desk, page.lanes);
    if (turns < page.lanes.size()) {
      if (turns > 0) desk.lanes.turn = page.lanes[turns - 1];
      return;
    }
    desk.lanes.turn = page.next;
    if (page.next.empty() || desk.held.size() == before) return;
  }
}

namespace {

// Whether the claim is still the job's lease, and its step has not begun. A claim of another thread
// may arrive after the job was lost, and after this worker has claimed it once more.
bool is_new(const Desk& desk, const Claim& claim, const Job& job) {
  if (job.worker != desk.worker || job.version.fence != claim.version.fence) return false;
  const auto held = desk.held.find(job.version.id);
  return held == desk.held.end() || held->second.job.version.fence != job.version.fence;
}

void begin_step(Desk& desk, Loaded& loaded) {
  const JobId id = loaded.job.version.id;
  ensure(desk.handler(*loaded.job.version.lifecycle) != nullptr,
         "a worker claims only jobs that it has a handler for");
  desk.drop(id);  // If it is still here, its former lease was lost: stops what that one began.
  desk.lanes.begin(loaded.job.lane);
  Held& held = desk.held[id];
  held = Held{.job = std::move(loaded.job),
              .request = std::move(loaded.request),
              .heard = desk.clock.steady()};
  try {
    desk.handler(held).begin(held);
  } catch (const StoreFault&) {
    desk.doubtful.insert(id);
    throw;
  }
}

}  // namespace

void take_claimed(Desk& desk, std::span<const Claim> claims) {
  if (claims.empty()) return;
  std::vector<JobId> ids;
  ids.reserve(claims.size());
  for (const Claim& claimed : claims) ids.push_back(claimed.version.id);
  std::size_t i = 0;
  for (Loaded& loaded : desk.store.reader().load(ids)) {
    while (i < ids.size() && ids[i] != loaded.job.version.id) ++i;  // Some do not exist.
    ensure(i < ids.size(), "the store loads what was claimed, in that order");
    if (is_new(desk, claims[i++], loaded.job)) begin_step(desk, loaded);
  }
}

}  // namespace haul::flow

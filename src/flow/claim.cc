// Claims due jobs, lane by lane, and begins their step.

#include <algorithm>

#include "flow/restored.h"
#include "flow/verbs.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

// Lanes per page. A look reads more pages only while it finds work, and the next look continues
// after it, so that thousands of lanes cost little.
constexpr std::size_t kLanesAtOnce = 128;
constexpr int kPagesMax = 8;

void begin_step(Desk& desk, Held& held) {
  const std::string_view lifecycle = held.job.seen.lifecycle->name;
  if (lifecycle == "batch") return plan(desk, held);
  if (lifecycle == "relay") return relay(desk, held);
  if (lifecycle == "image") return generate(desk, held);
  if (held.job.seen.state == "completed") return land(desk, held);
  prove(desk, held);
}

}  // namespace

Capacity capacity_of(const Desk& desk) {
  const std::size_t all = desk.settings.held_max;
  return {.all = all,
          .free = all - std::min(all, desk.held.size()),
          .per_host = desk.settings.host.at_once};
}

namespace {

// Claims from each lane while there is capacity, in one transaction. Returns how many lanes had
// their turn.
std::size_t claim_from(Desk& desk, std::span<const std::string> lanes) {
  Capacity capacity = capacity_of(desk);
  const bool is_restored = desk.is_restored();
  std::vector<ClaimAsk> asks;
  std::vector<std::size_t> before;  // Per ask: jobs of its lane that ran already.
  std::size_t turns = 0;
  for (; turns < lanes.size() && capacity.free > 0; ++turns) {
    const std::string& lane = lanes[turns];
    const Lifecycle& lifecycle = lifecycle_of(lane);
    if (&lifecycle == &kBook) continue;  // Books are watched, never claimed.
    if (is_restored && !begins_when_restored(lifecycle)) continue;
    const std::size_t running = desk.lanes.running(lane);
    const LaneRoom room = room_in_lane(lifecycle, capacity, running);
    const std::size_t limit = std::min(room.limit, desk.settings.claim_max);
    if (limit == 0 && running > 0) desk.lanes.set_crowded(lane);
    if (limit == 0) continue;
    before.push_back(running);
    asks.push_back({.lifecycle = &lifecycle,
                    .lane = lane,
                    .worker = desk.worker,
                    .limit = limit,
                    .at_once = room.at_once});
    capacity.free -= limit;
  }
  if (asks.empty()) return turns;
  take_claimed(desk, desk.store.jobs().claim_all(asks, desk.now()));
  for (std::size_t i = 0; i < asks.size(); ++i) {
    const bool all_it_may = desk.lanes.running(asks[i].lane) == before[i] + asks[i].limit;
    if (all_it_may)
      desk.lanes.set_crowded(asks[i].lane);
    else
      desk.lanes.set_empty(asks[i].lane);
  }
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

void take_claimed(Desk& desk, std::span<const Claim> claims) {
  if (claims.empty()) return;
  std::vector<JobId> ids;
  for (const Claim& claimed : claims) ids.push_back(claimed.seen.id);
  for (Loaded& loaded : desk.store.reader().load(ids)) {
    if (loaded.job.worker != desk.worker) continue;  // Lost again before it was read.
    const JobId id = loaded.job.seen.id;
    const auto [found, is_new] = desk.held.try_emplace(id);
    if (is_new) desk.lanes.begin(loaded.job.lane);
    Held& held = found->second;
    held = Held{.job = std::move(loaded.job),
                .request = std::move(loaded.request),
                .heard = desk.clock.steady()};
    try {
      begin_step(desk, held);
    } catch (const StoreFault&) {
      desk.doubtful.insert(id);
      throw;
    }
  }
}

}  // namespace haul

#include <algorithm>

#include "flow/restored.h"
#include "flow/verbs.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

constexpr std::size_t kLanesMax = 100;

void begin_step(Desk& desk, Held& held) {
  const std::string_view lifecycle = held.job.seen.lifecycle->name;
  if (lifecycle == "batch") return plan(desk, held);
  if (lifecycle == "relay") return relay(desk, held);
  if (lifecycle == "image") return generate(desk, held);
  if (held.job.seen.state == "completed") return land(desk, held);
  prove(desk, held);
}

}  // namespace

void claim(Desk& desk) {
  for (const std::string& lane : desk.store.reader().lanes(desk.now(), kLanesMax)) {
    const Lifecycle* lifecycle = find_lifecycle(lane);
    if (!lifecycle || lifecycle == &kBook) continue;  // Books are watched, never claimed.
    if (desk.is_restored() && !begins_when_restored(*lifecycle)) continue;
    if (desk.held.size() >= desk.settings.held_max) return;
    const std::size_t room = desk.settings.held_max - desk.held.size();
    const ClaimAsk ask{.lifecycle = lifecycle,
                       .worker = desk.worker,
                       .limit = std::min(room, desk.settings.claim_max)};
    take_claimed(desk, desk.store.jobs().claim(ask, desk.now()));
  }
}

void take_claimed(Desk& desk, std::span<const Claim> claims) {
  if (claims.empty()) return;
  std::vector<JobId> ids;
  for (const Claim& claimed : claims) ids.push_back(claimed.seen.id);
  for (Loaded& loaded : desk.store.reader().load(ids)) {
    if (loaded.job.worker != desk.worker) continue;  // Lost again before we read it.
    const JobId id = loaded.job.seen.id;
    Held& held = desk.held[id];
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

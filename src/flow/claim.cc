#include <algorithm>

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
    if (desk.held.size() >= desk.settings.held_max) return;
    const std::size_t room = desk.settings.held_max - desk.held.size();
    const ClaimAsk ask{.lifecycle = lifecycle,
                       .worker = desk.worker,
                       .limit = std::min(room, desk.settings.claim_max)};
    for (const Claim& claimed : desk.store.jobs().claim(ask, desk.now())) {
      const JobId id = claimed.seen.id;
      const auto job = desk.store.reader().find(id);
      const auto request = desk.store.reader().request(id);
      if (!job || !request || job->seen != claimed.seen) continue;
      Held& held = desk.held[id];
      held = Held{.job = *job, .request = *request, .heard = desk.clock.steady()};
      begin_step(desk, held);
    }
  }
}

}  // namespace haul

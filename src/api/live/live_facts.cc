#include "api/live/live_facts.h"

namespace haul::api {

flow::LiveFacts live_facts(const LiveProgress& progress, JobId job, Steady now,
                           const SpeedNow& speed) {
  flow::LiveFacts facts{.speed = progress.speed(), .speed_limit = speed};
  const auto found = progress.find(job);
  if (!found) return facts;
  facts.is_known = true;
  facts.waits_for = found->waits_for;
  if (found->items.size() == 1) facts.last_item = found->items.front().name;
  for (const ItemProgress& item : found->items) {
    const Millis still = now - item.still_since;
    if (item.retry_in || still <= facts.still_for) continue;
    facts.still_for = still;
    facts.still_item = item.name;
  }
  return facts;
}

}  // namespace haul::api

#include "flow/verbs.h"

namespace haul {

void plan(Desk& desk, Held& held) {
  if (desk.store.items().counts(held.job.seen.id).enumerated) return transfer_items(desk, held);
  held.planning = true;
  desk.outside.http.plan(desk.order(held), desk.inbox);
}

void take_plan(Desk& desk, Held& held, const Planned& planned) {
  if (!held.planning) return;  // Told twice.
  const Hold hold = desk.hold(held.job);
  held.planning = !planned.complete;
  if (planned.items.empty() && planned.complete &&
      desk.store.items().counts(held.job.seen.id).total == 0)
    return desk.wish(held.job, {.wishes = {{.on = On::done}}});

  std::vector<NewItem> items;
  for (const FoundItem& found : planned.items)
    items.push_back({found.key, found.url, found.size, found.skip});
  const auto enumeration = planned.complete ? Enumeration::complete : Enumeration::goes_on;
  if (!desk.store.items().add(hold, items, enumeration, desk.now()))
    return desk.drop(held.job.seen.id);
  transfer_items(desk, held);
}

}  // namespace haul

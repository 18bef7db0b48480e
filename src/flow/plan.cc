#include "flow/verbs.h"

namespace haul {
namespace {

// Nobody can have planned a job that was claimed for the first time just now.
bool is_fresh(const Held& held) { return held.job.seen.seq == 1; }

}  // namespace

void plan(Desk& desk, Held& held) {
  if (!is_fresh(held) && desk.store.items().counts(held.job.seen.id).enumerated)
    return transfer_items(desk, held);
  held.planning = true;
  desk.outside.http.plan(desk.order(held), desk.inbox);
}

void take_plan(Desk& desk, Held& held, const Planned& planned) {
  if (!held.planning) return;  // Told twice.
  const Hold hold = desk.hold(held.job);
  held.planning = !planned.complete;
  const bool nothing = planned.items.empty() && planned.complete &&
                       (is_fresh(held) || desk.store.items().counts(held.job.seen.id) == Counts{});
  if (nothing) return desk.wish(held.job, {.wishes = {{.on = On::done}}});
  std::vector<NewItem> items;
  for (const FoundItem& found : planned.items)
    items.push_back({found.key, found.url, found.size, found.skip});
  const auto enumeration = planned.complete ? Enumeration::complete : Enumeration::goes_on;
  if (!desk.store.items().add(hold, items, enumeration, desk.now()))
    return desk.drop(held.job.seen.id);
  transfer_items(desk, held);
}

}  // namespace haul

// Removes the parts of a batch that was cancelled while no worker held it, such as a paused one.

#include "flow/verbs.h"
#include "store/reader.h"

namespace haul {
namespace {

constexpr std::size_t kClearsMax = 100;

void remove_parts(Desk& desk, const Job& job) {
  const SharedText request{desk.store.reader().request(job.seen.id).value_or("{}")};
  std::int64_t after = 0;
  for (auto page = desk.store.items().list(job.seen.id, "CANCELLED", after, kListMax);
       !page.empty(); page = desk.store.items().list(job.seen.id, "CANCELLED", after, kListMax)) {
    after = page.back().n;
    for (const Item& item : page) {
      if (item.checkpoint.empty()) continue;
      Order order = desk.order(job, request);
      order.item = item.n;
      order.key = item.key;
      order.checkpoint = item.checkpoint;
      desk.outside.http.stop(order, Parts::remove, desk.inbox);
    }
  }
}

}  // namespace

void see_clears(Desk& desk) {
  if (desk.is_restored()) return;
  for (const Intent& clear : desk.next_open(kClear, kClearsMax)) {
    const auto job = desk.store.reader().find(clear.job);
    if (job && job->state().is_open()) continue;  // The cancel lost its race.
    if (job) remove_parts(desk, *job);
    desk.store.intents().settle(clear.id, IntentState::done, "cleared", desk.now());
  }
}

}  // namespace haul

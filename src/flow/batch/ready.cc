// Batch: the items that may start, by host. The store has far more of some jobs than fit in memory,
// so haul reads them a part at a time.

#include <algorithm>
#include <utility>

#include "base/ensure.h"
#include "base/host.h"
#include "flow/batch/judge.h"
#include "flow/batch/work.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

constexpr std::size_t kReadAtOnce = 1'000;  // Items to read ahead, past a busy host.

// A wait longer than wait_max means that the clock was set back meanwhile, so it counts as over.
Millis wait_of(const Batch& batch, const Item& item) {
  const Millis wait = item.due_at - batch.desk.now();
  return wait > batch.desk.settings.wait_max ? Millis{0} : std::max(wait, Millis{0});
}

// What earlier jobs left of these items: files that landed (Z-24), and parts to go on with.
void read_past(Batch& batch, const Held& held, std::span<Item> items) {
  std::vector<std::string_view> keys;
  keys.reserve(items.size());
  for (const Item& item : items) keys.emplace_back(item.key);
  std::vector<ItemPast> past =
      batch.desk.store.items().past(held.job.version.id, keys, batch.settings.past_parts);
  ensure(past.size() == items.size(), "the store answers for each item");
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!past[i].receipts.empty())
      fetch_of(held).receipts[items[i].n] = std::move(past[i].receipts);
    const bool is_newer = items[i].checkpoint.empty() || items[i].updated_at < past[i].kept_at;
    if (!past[i].checkpoint.empty() && is_newer)
      items[i].checkpoint = std::move(past[i].checkpoint);
  }
}

}  // namespace

void make_ready(Fetch& fetch, Item item) {
  fetch.ready[host_of(fetch.source_of(item))].push_back(std::move(item));
}

// Reads on after the last item read: new items always have higher numbers.
void read_ahead(Batch& batch, Held& held) {
  Fetch& fetch = fetch_of(held);
  if (!fetch.unread) return;
  std::size_t in_hand = fetch.waiting.size();
  for (const auto& [host, items] : fetch.ready) in_hand += items.size();
  if (in_hand >= kReadAtOnce / 2) return;
  std::vector<Item> found = batch.desk.store.items().list(
      held.job.version.id, item_state(kItem, Step::claim).name, fetch.read_to, kReadAtOnce);
  fetch.unread = found.size() == kReadAtOnce;
  if (!found.empty()) read_past(batch, held, found);
  for (Item& item : found) {
    fetch.read_to = item.n;
    if (const Millis wait = wait_of(batch, item); wait > Millis{0})
      fetch.waiting.emplace(batch.desk.clock.steady() + wait, std::move(item));
    else
      make_ready(fetch, std::move(item));
  }
}

void end_waits(Batch& batch, Fetch& fetch) {
  while (!fetch.waiting.empty() && fetch.waiting.begin()->first <= batch.desk.clock.steady())
    make_ready(fetch, std::move(fetch.waiting.extract(fetch.waiting.begin()).mapped()));
}

}  // namespace haul::flow

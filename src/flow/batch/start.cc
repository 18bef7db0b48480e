// Batch: starts items. The jobs with items at a host take turns at its slots, item by item.

#include <algorithm>

#include "flow/batch/judge.h"
#include "flow/batch/work.h"
#include "lifecycle/tables.h"
#include "seam/item_key.h"

namespace haul::flow {
namespace {

constexpr std::size_t kLandingMax = 512;  // Items per job that are fetched but not in their place.

void start_item(Batch& batch, Held& held, Item item, std::int64_t start, Slot slot) {
  const std::int64_t n = item.n;
  const Steady now = batch.desk.clock.steady();
  if (item.state == kItem.initial().name) fetch_of(held).starts[n] = now;
  item.state = item_state(kItem, Step::transfer).name;
  const bool resumes = is_resumable(item);
  const std::int64_t have = resumes ? item.have : 0;
  const auto resumed = resumes ? std::nullopt : std::optional<std::int64_t>{0};
  const Transfer& transfer = fetch_of(held).at_work.add({.item = std::move(item),
                                                         .start = start,
                                                         .have = have,
                                                         .resumed = resumed,
                                                         .slot = slot,
                                                         .started = now,
                                                         .heard = now});
  Order order = item_order(batch, held, transfer);
  order.waits_for_slot = slot == Slot::later;
  batch.engine.start(std::move(order), batch.desk.inbox);
}

// A start that waits in the engine can take a slot before another job, a listing or a program that
// asks for it.
bool has_host_alone(const Batch& batch, const Fetch& fetch) {
  const bool is_only_job = batch.desk.held.size() == 1 && fetch.listing.is != ListingIs::running;
  return is_only_job && fetch.ready.size() == 1 && fetch.at_work.of_programs() == 0;
}

// Whether one more small file may wait in the engine for a slot.
bool may_wait(Batch& batch, const Fetch& fetch, const std::string& host) {
  if (batch.settings.ahead == 0 || !fetch.is_quick) return false;
  HostSlots& slots = batch.desk.host_slots;
  const std::size_t most = batch.desk.settings.host.at_once + batch.settings.ahead;
  return fetch.at_work.moving() < most && slots.passes_on() && fetch.own.at_once == 0 &&
         fetch.own.apart == Millis{0} &&
         slots.closed_until(host, fetch.own) <= batch.desk.clock.steady() &&
         has_host_alone(batch, fetch);
}

// An http item takes the slot of its first request here. A program passes the gate with each
// request it makes.
Slot take_slot(Batch& batch, const Fetch& fetch, const Item& item, const std::string& host) {
  const std::string_view engine = engine_of(item.key);
  HostSlots& slots = batch.desk.host_slots;
  const std::int64_t start = batch.desk.next_start();
  if (engine == kHttp) {
    if (slots.take(start, host, fetch.own)) return Slot::now;
    if (!may_wait(batch, fetch, host)) return Slot::none;
  }
  if (engine == kYtDlp && fetch.videos() >= batch.settings.videos_at_once) return Slot::none;
  slots.expect(start, fetch.own);
  return engine == kHttp ? Slot::later : Slot::now;
}

// After a full disk no item starts until it is time, or until all items at work have ended.
bool waits_for_room(const Batch& batch, const Fetch& fetch) {
  return fetch.room_again && batch.desk.clock.steady() < *fetch.room_again &&
         !fetch.at_work.empty();
}

bool may_start(const Batch& batch, const Fetch& fetch) {
  if (waits_for_room(batch, fetch)) return false;
  const std::size_t moving = fetch.at_work.moving();
  return moving < batch.settings.items_at_once && fetch.at_work.size() < moving + kLandingMax;
}

// Starts the next item of a job at a host. False if the job or the host has no room for it now.
bool start_one(Batch& batch, Held& held, const std::string& host) {
  Fetch& fetch = fetch_of(held);
  const auto found = fetch.ready.find(host);
  if (found == fetch.ready.end() || !may_start(batch, fetch)) return false;
  std::deque<Item>& items = found->second;
  const Slot slot = take_slot(batch, fetch, items.front(), host);
  if (slot == Slot::none) return false;
  Item item = std::move(items.front());
  items.pop_front();
  if (items.empty()) fetch.ready.erase(found);
  start_item(batch, held, std::move(item), batch.desk.count_start(), slot);
  return true;
}

// Goes round the jobs, beginning after the one that had the last turn, until none can start an
// item.
void start_at(Batch& batch, const std::string& host, std::vector<Held*> jobs) {
  const auto turn = batch.host_turns.find(host);
  if (turn != batch.host_turns.end()) {
    const auto next = std::ranges::upper_bound(
        jobs, turn->second, {}, [](const Held* held) { return held->job.version.id; });
    std::ranges::rotate(jobs, next);
  }
  for (std::vector<Held*> going = std::move(jobs); !going.empty();)
    std::erase_if(going, [&](Held* held) {
      const bool started = start_one(batch, *held, host);
      if (started) batch.host_turns[host] = held->job.version.id;
      return !started;
    });
}

}  // namespace

void start_items(Batch& batch) {
  std::map<std::string, std::vector<Held*>> at_hosts;  // Jobs by id.
  for (auto& [id, held] : batch.desk.held)
    if (held.job.version.lifecycle == &kBatch && !held.stopping)
      for (const auto& [host, items] : fetch_of(held).ready) at_hosts[host].push_back(&held);
  std::erase_if(batch.host_turns, [&](const auto& each) { return !at_hosts.contains(each.first); });
  for (auto& [host, jobs] : at_hosts) start_at(batch, host, std::move(jobs));
}

std::string waited_host(const Batch& batch, const Held& held) {
  const Fetch& fetch = fetch_of(held);
  if (held.stopping || !fetch.at_work.empty()) return {};
  HostSlots& slots = batch.desk.host_slots;
  const Steady now = batch.desk.clock.steady();
  if (fetch.listing.is == ListingIs::running) {
    const auto until = slots.waits_until(fetch.listing.start);
    return until && *until - now > kOwnWait ? held.job.lane : std::string{};
  }
  const auto is_closed = [&](const std::string& host) {
    return slots.closed_until(host, fetch.own) - now > kOwnWait ||
           batch.desk.store.limits().use(host).held >= batch.desk.settings.host.at_once;
  };
  constexpr int kHostsMax = 20;  // A job of many hosts is said to wait for the first.
  int asked = 0;
  for (const auto& [host, items] : fetch.ready)
    if (++asked <= kHostsMax && !is_closed(host)) return {};
  return fetch.ready.empty() ? std::string{} : fetch.ready.begin()->first;
}

Order item_name(const Batch& batch, const Held& held, const Transfer& transfer) {
  Order order = batch.desk.order(held);
  order.item = transfer.item.n;
  order.start = transfer.start;
  order.key = transfer.item.key;
  return order;
}

Order item_order(const Batch& batch, const Held& held, const Transfer& transfer) {
  Order order = item_name(batch, held, transfer);
  order.url = transfer.item.url;
  order.path = transfer.item.path;
  order.size = transfer.item.size;
  order.checkpoint = transfer.item.checkpoint;
  const auto& receipts = fetch_of(held).receipts;
  if (const auto known = receipts.find(transfer.item.n); known != receipts.end())
    order.receipts = known->second;
  const auto& sources = fetch_of(held).sources;
  if (const auto known = sources.find(transfer.item.n); known != sources.end())
    order.source = known->second;
  return order;
}

}  // namespace haul::flow

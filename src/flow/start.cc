// Batch: starts items. The jobs with items at a host take turns at its places, item by item.

#include <algorithm>

#include "flow/verbs.h"
#include "lifecycle/tables.h"
#include "seam/item_key.h"

namespace haul {
namespace {

constexpr std::size_t kLandingMax = 512;  // Items per job that are fetched but not in their place.

void start_item(Desk& desk, Held& held, Item item, std::int64_t start) {
  const std::int64_t n = item.n;
  const Steady now = desk.clock.steady();
  if (item.state == kItem.initial().name) held.fetch.starts[n] = now;
  item.state = kItem.find("DOWNLOADING")->name;
  const Transfer& transfer = held.fetch.at_work.add(
      {.item = std::move(item), .start = start, .started = now, .heard = now});
  desk.outside.http.start(item_order(desk, held, transfer), desk.inbox);
}

// An http item takes the place of its first request here. A program passes the gate with each
// request it makes.
bool take_place(Desk& desk, const Fetch& fetch, const Item& item, const std::string& host) {
  const std::string_view engine = engine_of(item.key);
  if (engine == kHttp) return desk.places.take(desk.next_start(), host, fetch.own);
  if (engine == kYtDlp && fetch.videos() >= desk.settings.videos_at_once) return false;
  desk.places.expect(desk.next_start(), fetch.own);
  return true;
}

// A full disk is asked again when it is time, or when all that might fill it has ended.
bool waits_for_room(const Desk& desk, const Fetch& fetch) {
  return fetch.room_again && desk.clock.steady() < *fetch.room_again && !fetch.at_work.empty();
}

bool may_start(const Desk& desk, const Fetch& fetch) {
  if (waits_for_room(desk, fetch)) return false;
  const std::size_t moving = fetch.at_work.moving();
  return moving < desk.settings.items_at_once && fetch.at_work.size() < moving + kLandingMax;
}

// Starts the next item of a job at a host. False if the job or the host has no room for it now.
bool start_one(Desk& desk, Held& held, const std::string& host) {
  Fetch& fetch = held.fetch;
  const auto found = fetch.ready.find(host);
  if (found == fetch.ready.end() || !may_start(desk, fetch)) return false;
  std::deque<Item>& items = found->second;
  if (!take_place(desk, fetch, items.front(), host)) return false;
  Item item = std::move(items.front());
  items.pop_front();
  if (items.empty()) fetch.ready.erase(found);
  start_item(desk, held, std::move(item), desk.count_start());
  return true;
}

// Goes round the jobs, beginning after the one that had the last turn, until none can start an
// item.
void start_at(Desk& desk, const std::string& host, std::vector<Held*> jobs) {
  const auto turn = desk.host_turns.find(host);
  if (turn != desk.host_turns.end()) {
    const auto next = std::ranges::upper_bound(jobs, turn->second, {},
                                               [](const Held* held) { return held->job.seen.id; });
    std::ranges::rotate(jobs, next);
  }
  for (std::vector<Held*> going = std::move(jobs); !going.empty();)
    std::erase_if(going, [&](Held* held) {
      const bool started = start_one(desk, *held, host);
      if (started) desk.host_turns[host] = held->job.seen.id;
      return !started;
    });
}

}  // namespace

void start_items(Desk& desk) {
  std::map<std::string, std::vector<Held*>> at_hosts;  // Jobs by id.
  for (auto& [id, held] : desk.held)
    if (!held.fetch.stopping)
      for (const auto& [host, items] : held.fetch.ready) at_hosts[host].push_back(&held);
  std::erase_if(desk.host_turns, [&](const auto& each) { return !at_hosts.contains(each.first); });
  for (auto& [host, jobs] : at_hosts) start_at(desk, host, std::move(jobs));
}

Order item_name(const Desk& desk, const Held& held, const Transfer& transfer) {
  Order order = desk.order(held);
  order.item = transfer.item.n;
  order.start = transfer.start;
  order.key = transfer.item.key;
  return order;
}

Order item_order(const Desk& desk, const Held& held, const Transfer& transfer) {
  Order order = item_name(desk, held, transfer);
  order.url = transfer.item.url;
  order.path = transfer.item.path;
  order.size = transfer.item.size;
  order.checkpoint = transfer.item.checkpoint;
  return order;
}

}  // namespace haul

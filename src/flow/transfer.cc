// Batch: items through the http engine, under the limits of their hosts.

#include <algorithm>

#include "flow/judge.h"
#include "flow/verbs.h"
#include "io/host.h"

namespace haul {
namespace {

constexpr std::size_t kItemsRead = 200;

// A wait longer than haul ever waits means that the clock was set back meanwhile.
bool is_due(const Desk& desk, const Item& item) {
  return item.due_at <= desk.now() || item.due_at > desk.now() + desk.settings.wait_max;
}

// Items that could start now: new ones, and those whose wait after a failure is over.
std::vector<Item> startable(Desk& desk, const Held& held) {
  std::vector<Item> items;
  for (const char* state : {"DOWNLOADING", "PENDING"})
    for (Item& item : desk.store.items().list(held.job.seen.id, state, 0, kItemsRead))
      if (is_due(desk, item) && !held.in_transfer.contains(item.n))
        items.push_back(std::move(item));
  return items;
}

// A place at the item's host; a host that has none left is not asked again this time.
bool take_place(Desk& desk, const Item& item, std::set<std::string>& full) {
  const std::string host = host_of(item.url);
  if (full.contains(host)) return false;
  if (desk.store.limits().take(host, desk.settings.host, desk.worker, desk.now())) return true;
  full.insert(host);
  return false;
}

void give_place(Desk& desk, const Item& item) {
  desk.store.limits().give(host_of(item.url), desk.worker);
}

bool move_item(Desk& desk, const Held& held, const ItemAsk& ask) {
  return desk.store.items().move(desk.hold(held.job), {&ask, 1}, desk.now()).front().has_value();
}

void start_item(Desk& desk, Held& held, const Item& item) {
  if (item.state == "PENDING" &&
      !move_item(desk, held, {.n = item.n, .from = item.state, .on = On::start}))
    return give_place(desk, item);
  Order order = desk.order(held);
  order.item = item.n;
  order.start = desk.next_start();
  held.in_transfer[item.n] = order.start;
  order.url = item.url;
  order.checkpoint = item.checkpoint;
  desk.outside.http.start(order, desk.inbox);
}

void end_if_done(Desk& desk, Held& held) {
  const Counts counts = desk.store.items().counts(held.job.seen.id);
  if (!held.planning && counts.enumerated && counts.processed() == counts.total)
    desk.wish(held.job, {.wishes = {{.on = On::done}}});
}

void fail_item(Desk& desk, Held& held, const Item& item, const Fault& fault, bool moved_forward) {
  const ItemVerdict verdict =
      judge_item(item, fault, moved_forward, desk.settings, desk.random.chance());
  switch (verdict.kind) {
    case ItemVerdict::Kind::again: {
      const ItemObservation seen{.n = item.n,
                                 .attempt = verdict.attempt,
                                 .tries = verdict.tries,
                                 .due_at = desk.now() + verdict.wait,
                                 .reason = fault.code};
      desk.store.items().observe(desk.hold(held.job), {&seen, 1}, desk.now());
      return;
    }
    case ItemVerdict::Kind::fail:
      move_item(desk, held,
                {.n = item.n,
                 .from = item.state,
                 .on = On::fail,
                 .reason = fault.code,
                 .detail = fault.detail});
      return end_if_done(desk, held);
    case ItemVerdict::Kind::release:
      stop_items(desk, held);
      return desk.release(held.job, fault.code, desk.settings.environment_wait);
  }
}

std::optional<Item> find_item(Desk& desk, const Held& held, std::int64_t n) {
  const auto found = desk.store.items().list(held.job.seen.id, "", n - 1, 1);
  if (found.empty() || found.front().n != n) return std::nullopt;
  return found.front();
}

}  // namespace

void transfer_items(Desk& desk, Held& held) {
  std::set<std::string> full;
  for (const Item& item : startable(desk, held)) {
    if (held.in_transfer.size() >= desk.settings.items_at_once) break;
    if (take_place(desk, item, full)) start_item(desk, held, item);
  }
  if (held.in_transfer.empty()) end_if_done(desk, held);
}

void stop_items(Desk& desk, Held& held) {
  for (const auto& [n, start] : held.in_transfer) {
    Order order = desk.order(held);
    order.item = n;
    order.start = start;
    desk.outside.http.stop(order, desk.inbox);
  }
  for (const Item& item : desk.store.items().list(held.job.seen.id, "DOWNLOADING", 0, kItemsRead))
    if (held.in_transfer.contains(item.n)) give_place(desk, item);
  held.in_transfer.clear();
}

void see_item(Desk& desk, Held& held, const Sight& sight) {
  if (const auto* planned = std::get_if<Planned>(&sight.what))
    return take_plan(desk, held, *planned);
  if (const auto* failed = std::get_if<Failed>(&sight.what); failed && sight.item == 0) {
    const bool ours =
        failed->fault.kind == FaultKind::environment || failed->fault.kind == FaultKind::retryable;
    if (ours) return desk.release(held.job, failed->fault.code, desk.settings.environment_wait);
    return desk.wish(held.job, {.wishes = {{.on = On::fail,
                                            .reason = failed->fault.code,
                                            .detail = failed->fault.detail}}});
  }
  const auto started = held.in_transfer.find(sight.item);
  if (started == held.in_transfer.end() || started->second != sight.start)
    return;  // Of a former start, or told twice.
  const auto item = find_item(desk, held, sight.item);
  const bool ends =
      std::holds_alternative<Finished>(sight.what) || std::holds_alternative<Failed>(sight.what);
  if (!item || !ends) return;

  held.in_transfer.erase(sight.item);
  give_place(desk, *item);
  if (const auto* finished = std::get_if<Finished>(&sight.what)) {
    move_item(desk, held,
              {.n = item->n,
               .from = item->state,
               .on = On::landed,
               .path = finished->path,
               .size = finished->size,
               .proof = {Proof::evidence, finished->evidence}});
    end_if_done(desk, held);
  } else if (const auto* failed = std::get_if<Failed>(&sight.what)) {
    fail_item(desk, held, *item, failed->fault, false);
  }
}

}  // namespace haul

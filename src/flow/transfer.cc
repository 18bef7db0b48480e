// Batch: items through the http engine, under the limits of their hosts. What happens to items is
// gathered and written down once a turn; a transfer never waits for the disk of the store.

#include <algorithm>

#include "flow/judge.h"
#include "flow/verbs.h"
#include "io/host.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

constexpr std::size_t kReadAtOnce =
    1'000;  // Items read ahead, so that a full host blocks no other.
constexpr std::size_t kWriteAtOnce = 2'000;

std::string_view state_name(std::string_view state) { return kItem.find(state)->name; }

// A wait longer than haul ever waits means that the clock was set back meanwhile.
Millis wait_of(const Desk& desk, const Item& item) {
  const Millis wait = item.due_at - desk.now();
  return wait > desk.settings.wait_max ? Millis{0} : std::max(wait, Millis{0});
}

void make_ready(Fetch& fetch, Item item) {
  fetch.ready[host_of(item.url)].push_back(std::move(item));
}

// Reads on where the last reading ended: items are found in the order of their numbers.
void read_ahead(Desk& desk, Held& held) {
  Fetch& fetch = held.fetch;
  std::size_t in_hand = fetch.waiting.size();
  for (const auto& [host, items] : fetch.ready) in_hand += items.size();
  if (in_hand >= kReadAtOnce / 2) return;
  for (Item& item :
       desk.store.items().list(held.job.seen.id, "PENDING", fetch.read_to, kReadAtOnce)) {
    fetch.read_to = item.n;
    if (const Millis wait = wait_of(desk, item); wait > Millis{0})
      fetch.waiting.emplace(desk.clock.steady() + wait, std::move(item));
    else
      make_ready(fetch, std::move(item));
  }
}

void end_waits(Desk& desk, Fetch& fetch) {
  while (!fetch.waiting.empty() && fetch.waiting.begin()->first <= desk.clock.steady())
    make_ready(fetch, std::move(fetch.waiting.extract(fetch.waiting.begin()).mapped()));
}

void start_item(Desk& desk, Held& held, Item item) {
  if (item.state == "PENDING")
    held.fetch.asks.push_back({.n = item.n, .from = item.state, .on = On::start});
  item.state = state_name("DOWNLOADING");
  Order order = desk.order(held);
  order.item = item.n;
  order.start = desk.next_start();
  order.url = item.url;
  order.checkpoint = item.checkpoint;
  const std::int64_t n = item.n;
  held.fetch.at_work[n] = {
      .item = std::move(item), .start = order.start, .heard = desk.clock.steady()};
  desk.outside.http.start(order, desk.inbox);
}

// One item of each host in turn, as far as places and the job's own number go.
void start_items(Desk& desk, Held& held) {
  Fetch& fetch = held.fetch;
  for (auto host = fetch.ready.begin(); host != fetch.ready.end();) {
    auto& [name, items] = *host;
    while (!items.empty() && fetch.at_work.size() < desk.settings.items_at_once &&
           desk.places.take(name, desk.settings.host)) {
      Item item = std::move(items.front());
      items.pop_front();
      start_item(desk, held, std::move(item));
    }
    host = items.empty() ? fetch.ready.erase(host) : std::next(host);
  }
}

void ask_fail(Fetch& fetch, const Item& item, const Fault& fault) {
  fetch.asks.push_back({.n = item.n,
                        .from = item.state,
                        .on = On::fail,
                        .reason = fault.code,
                        .detail = fault.detail});
}

void fail_item(Desk& desk, Held& held, Transfer& transfer, const Fault& fault) {
  Item& item = transfer.item;
  const bool moved_forward = transfer.have > item.have;
  const ItemVerdict verdict =
      judge_item(item, fault, moved_forward, desk.settings, desk.random.chance());
  switch (verdict.kind) {
    case ItemVerdict::Kind::again:
      item.attempt = verdict.attempt;
      item.tries = verdict.tries;
      item.have = std::max(item.have, transfer.have);
      held.fetch.seen.push_back({.n = item.n,
                                 .attempt = item.attempt,
                                 .tries = item.tries,
                                 .due_at = desk.now() + verdict.wait,
                                 .have = item.have,
                                 .reason = fault.code});
      held.fetch.waiting.emplace(desk.clock.steady() + verdict.wait, std::move(item));
      return;
    case ItemVerdict::Kind::fail:
      return ask_fail(held.fetch, item, fault);
    case ItemVerdict::Kind::release:
      return release_batch(desk, held, fault.code);
  }
}

// S2-7: whole and in its place, or it has not arrived.
std::optional<Fault> doubt(const Item& item, const Finished& finished) {
  if (!finished.in_place)
    return Fault{FaultKind::retryable, "not_in_place", "the file was not seen at its path"};
  if (item.size && *item.size != finished.size)
    return Fault{FaultKind::retryable, "size_mismatch",
                 std::to_string(finished.size) + " of " + std::to_string(*item.size) + " bytes"};
  return std::nullopt;
}

void finish_item(Desk& desk, Held& held, Transfer& transfer, const Finished& finished) {
  if (const auto fault = doubt(transfer.item, finished))
    return fail_item(desk, held, transfer, *fault);
  held.fetch.asks.push_back({.n = transfer.item.n,
                             .from = transfer.item.state,
                             .on = On::landed,
                             .path = finished.path,
                             .size = finished.size,
                             .proof = {Proof::evidence, finished.evidence}});
}

// A landing that the store refuses for its own sake would be fetched again for ever.
void fail_refused(Desk& desk, Held& held, const ItemAsk& ask, const Refusal& why) {
  if (ask.on != On::landed || why.kind != RefusalKind::guarded) return;
  const ItemAsk fail{
      .n = ask.n, .from = ask.from, .on = On::fail, .reason = why.code, .detail = why.detail};
  desk.store.items().move(desk.hold(held.job), {&fail, 1}, desk.now());
}

void see_transfer(Desk& desk, Held& held, const Sight& sight) {
  const auto found = held.fetch.at_work.find(sight.item);
  if (found == held.fetch.at_work.end() || found->second.start != sight.start)
    return;  // Of a former start, or told twice.
  found->second.heard = desk.clock.steady();
  if (const auto* moving = std::get_if<Moving>(&sight.what)) found->second.have = moving->have;
  const auto* finished = std::get_if<Finished>(&sight.what);
  const auto* failed = std::get_if<Failed>(&sight.what);
  if (!finished && !failed) return;
  Transfer transfer = std::move(found->second);
  held.fetch.at_work.erase(found);
  desk.places.give(host_of(transfer.item.url));
  if (finished)
    finish_item(desk, held, transfer, *finished);
  else
    fail_item(desk, held, transfer, failed->fault);
}

}  // namespace

void transfer_items(Desk& desk, Held& held) {
  end_waits(desk, held.fetch);
  read_ahead(desk, held);
  start_items(desk, held);
  const JobId id = held.job.seen.id;
  write_items(desk, held);
  if (desk.held.contains(id)) end_if_done(desk, held);
}

void end_if_done(Desk& desk, Held& held) {
  if (held.fetch.has_work() || desk.is_asking(held.job.seen.id)) return;
  const Counts counts = desk.store.items().counts(held.job.seen.id);
  if (counts.enumerated && counts.processed() == counts.total)
    desk.wish(held.job, {.wishes = {{.on = On::done}}});
}

void write_items(Desk& desk, Held& held) {
  Fetch& fetch = held.fetch;
  while (!fetch.asks.empty() || !fetch.seen.empty()) {
    const std::span asks = std::span{fetch.asks}.first(std::min(fetch.asks.size(), kWriteAtOnce));
    const std::span seen = std::span{fetch.seen}.first(std::min(fetch.seen.size(), kWriteAtOnce));
    const Hold hold = desk.hold(held.job);
    const ItemAnswers answers = desk.store.items().write(hold, asks, seen, desk.now());
    if (!answers.held) return desk.drop(held.job.seen.id);
    for (std::size_t i = 0; i < asks.size(); ++i)
      if (!answers.moved[i]) fail_refused(desk, held, asks[i], answers.moved[i].error());
    fetch.asks.erase(fetch.asks.begin(), fetch.asks.begin() + static_cast<long>(asks.size()));
    fetch.seen.erase(fetch.seen.begin(), fetch.seen.begin() + static_cast<long>(seen.size()));
  }
}

void release_batch(Desk& desk, Held& held, const std::string& reason) {
  const JobId id = held.job.seen.id;
  write_items(desk, held);
  if (desk.held.contains(id)) desk.release(held.job, reason, desk.settings.environment_wait);
}

void see_item(Desk& desk, Held& held, const Sight& sight) {
  if (const auto* planned = std::get_if<Planned>(&sight.what))
    return take_plan(desk, held, *planned);
  if (sight.item != 0) return see_transfer(desk, held, sight);
  const auto* failed = std::get_if<Failed>(&sight.what);
  if (!failed || !held.fetch.planning) return;
  held.fetch.planning = false;
  const FaultKind kind = failed->fault.kind;
  if (kind == FaultKind::environment || kind == FaultKind::retryable)
    return release_batch(desk, held, failed->fault.code);
  desk.wish(
      held.job,
      {.wishes = {{.on = On::fail, .reason = failed->fault.code, .detail = failed->fault.detail}}});
}

}  // namespace haul

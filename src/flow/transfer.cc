// Batch: fetches items through the http engine, within the limits of their hosts. The worker
// collects changes of items and writes them once per turn, so that no transfer waits for the
// store's disk.

#include <fmt/core.h>

#include <algorithm>

#include "base/host.h"
#include "base/plant.h"
#include "flow/judge.h"
#include "flow/verbs.h"
#include "lifecycle/tables.h"
#include "seam/item_key.h"

namespace haul {
namespace {

using Phase = Transfer::Phase;

constexpr std::size_t kReadAtOnce = 1'000;  // Items to read ahead, past a busy host.
constexpr std::size_t kGatherMax = 256;     // Changes of items to write together.

// A wait longer than wait_max means that the clock was set back meanwhile, so it counts as over.
Millis wait_of(const Desk& desk, const Item& item) {
  const Millis wait = item.due_at - desk.now();
  return wait > desk.settings.wait_max ? Millis{0} : std::max(wait, Millis{0});
}

void make_ready(Fetch& fetch, Item item) {
  fetch.ready[host_of(item.url)].push_back(std::move(item));
}

// Reads the next items, after the last one read: new items always have higher numbers.
void read_ahead(Desk& desk, Held& held) {
  Fetch& fetch = held.fetch;
  if (!fetch.unread) return;
  std::size_t in_hand = fetch.waiting.size();
  for (const auto& [host, items] : fetch.ready) in_hand += items.size();
  if (in_hand >= kReadAtOnce / 2) return;
  std::vector<Item> found =
      desk.store.items().list(held.job.seen.id, "PENDING", fetch.read_to, kReadAtOnce);
  fetch.unread = found.size() == kReadAtOnce;
  for (Item& item : found) {
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

ItemAsk start_of(std::int64_t n) { return {.n = n, .from = kItem.initial().name, .on = On::start}; }

// Queues the start of an item, if it is not written yet. It must come before any other change.
void write_start(Fetch& fetch, std::int64_t n) {
  if (fetch.starts.erase(n) == 1) fetch.asks.push_back(start_of(n));
}

// Queues starts that are a few turns old. An item that is fetched within that time needs one write
// instead of two.
void write_old_starts(const Desk& desk, Fetch& fetch) {
  constexpr int kTurns = 4;
  const Steady old = desk.clock.steady() - kTurns * desk.settings.gather;
  for (auto it = fetch.starts.begin(); it != fetch.starts.end();) {
    const auto [n, since] = *it++;
    if (since <= old) write_start(fetch, n);
  }
}

// Others of the job have the room that this one lacks. They go on, and it is tried again later.
void wait_for_room(Desk& desk, Fetch& fetch, Transfer& transfer, const Failed& failed) {
  Item& item = transfer.item;
  if (!failed.checkpoint.empty()) item.checkpoint = failed.checkpoint;
  item.have = std::max(item.have, transfer.have);
  item.reason = failed.fault.code;
  fetch.seen.push_back(
      {.n = item.n, .have = item.have, .checkpoint = item.checkpoint, .reason = item.reason});
  fetch.room_again = desk.clock.steady() + desk.settings.environment_wait;
  make_ready(fetch, std::move(item));
}

void fail_item(Desk& desk, Held& held, Transfer& transfer, const Failed& failed) {
  Item& item = transfer.item;
  const Fault& fault = failed.fault;
  write_start(held.fetch, item.n);
  const bool moved_forward = transfer.have > item.have;
  const ItemVerdict verdict =
      judge_item(item, fault, moved_forward, desk.settings, desk.random.chance());
  if (verdict.kind == ItemVerdict::Kind::release) {
    if (fault.code == "disk_full" && !held.fetch.at_work.empty())
      return wait_for_room(desk, held.fetch, transfer, failed);
    if (!failed.checkpoint.empty())
      held.fetch.seen.push_back({.n = item.n, .checkpoint = failed.checkpoint});
    return release_batch(desk, held, fault);
  }
  if (verdict.kind == ItemVerdict::Kind::fail) {
    desk.outside.http.stop(item_order(desk, held, transfer), Parts::remove, desk.inbox);
    held.fetch.asks.push_back({.n = item.n,
                               .from = item.state,
                               .on = On::fail,
                               .reason = fault.code,
                               .detail = fault.detail});
    return;
  }
  // A start that was silent may still run, and would write beside the next one.
  if (failed.outcome_unknown)
    desk.outside.http.stop(item_order(desk, held, transfer), Parts::keep, desk.inbox);
  const Millis wait =
      std::max(verdict.wait, std::min(Millis{failed.wait_ms}, desk.settings.wait_max));
  item.attempt = verdict.attempt;
  item.tries = verdict.tries;
  item.have = std::max(item.have, transfer.have);
  item.reason = fault.code;
  if (!failed.checkpoint.empty()) item.checkpoint = failed.checkpoint;
  held.fetch.seen.push_back({.n = item.n,
                             .attempt = item.attempt,
                             .tries = item.tries,
                             .due_at = desk.now() + wait,
                             .have = item.have,
                             .checkpoint = item.checkpoint,
                             .reason = fault.code});
  held.fetch.waiting.emplace(desk.clock.steady() + wait, std::move(item));
}

// S2-7: an item has arrived only if the file is whole and in its place.
std::optional<Fault> doubt(const Item& item, const Finished& finished) {
  if (!finished.in_place)
    return Fault{FaultKind::retryable, "not_in_place", "the file was not seen at its path"};
  if (item.size && *item.size != finished.size)
    return Fault{FaultKind::retryable, "size_mismatch",
                 std::to_string(finished.size) + " of " + std::to_string(*item.size) + " bytes"};
  return std::nullopt;
}

void finish_item(Desk& desk, Held& held, Transfer& transfer, Finished& finished) {
  if (const auto fault = doubt(transfer.item, finished))
    return fail_item(desk, held, transfer, {.fault = *fault});
  write_start(held.fetch, transfer.item.n);
  held.fetch.asks.push_back({.n = transfer.item.n,
                             .from = transfer.item.state,
                             .on = On::landed,
                             .path = std::move(finished.path),
                             .size = finished.size,
                             .proof = {Proof::evidence, std::move(finished.evidence)}});
}

// Keeps the progress of a transfer. Only a new checkpoint goes to the store.
void see_moving(Fetch& fetch, Transfer& transfer, const Moving& moving) {
  transfer.have = moving.have;
  transfer.about = moving.about;
  transfer.status = moving.status;
  if (moving.size) transfer.item.size = moving.size;
  if (!moving.path.empty()) transfer.item.path = moving.path;
  if (moving.checkpoint.empty()) return;
  transfer.item.checkpoint = moving.checkpoint;
  fetch.seen.push_back(
      {.n = transfer.item.n, .size = moving.size, .checkpoint = moving.checkpoint});
}

// The place at the host is free after the last byte. The file lands only when the store has its
// path and checkpoint, so that the next worker recognises it after a crash.
void see_fetched(Desk& desk, Fetch& fetch, Transfer& transfer, Fetched& fetched) {
  desk.places.give(transfer.start);
  fetch.at_work.set_phase(transfer, Phase::fetched);
  transfer.have = fetched.size;
  transfer.item.path = fetched.path;
  transfer.item.checkpoint = fetched.checkpoint;
  if (fetch.starts.erase(transfer.item.n) == 1) {
    fetch.asks.push_back(start_of(transfer.item.n));
    fetch.asks.back().path = std::move(fetched.path);
    fetch.asks.back().size = fetched.size;
    fetch.asks.back().checkpoint = std::move(fetched.checkpoint);
    return;
  }
  fetch.seen.push_back({.n = transfer.item.n,
                        .size = fetched.size,
                        .path = std::move(fetched.path),
                        .checkpoint = std::move(fetched.checkpoint)});
}

void see_transfer(Desk& desk, Held& held, Sight& sight) {
  Fetch& fetch = held.fetch;
  Transfer* const known = fetch.at_work.find(sight.item);
  if (known == nullptr || known->start != sight.start) return;  // Of an earlier start, or repeated.
  known->heard = desk.clock.steady();
  if (const auto* whole = std::get_if<Fetched>(&sight.what);
      whole && planted(Plant::landing_skipped))
    sight.what = Finished{.path = whole->path, .size = whole->size, .evidence = "{}"};
  if (const auto* moving = std::get_if<Moving>(&sight.what))
    return see_moving(fetch, *known, *moving);
  if (auto* fetched = std::get_if<Fetched>(&sight.what))
    return see_fetched(desk, fetch, *known, *fetched);
  auto* finished = std::get_if<Finished>(&sight.what);
  const auto* failed = std::get_if<Failed>(&sight.what);
  if (!finished && !failed && !std::holds_alternative<Stopped>(sight.what)) return;
  Transfer transfer = fetch.at_work.take(sight.item);
  fetch.ending[sight.item] = transfer.item.url;
  desk.places.give(transfer.start);
  if (finished) finish_item(desk, held, transfer, *finished);
  const bool for_good = fetch.stopping && fetch.stopping->parts == Parts::remove;
  if (failed && !for_good) return fail_item(desk, held, transfer, *failed);
  if (finished || failed) return;
  fetch.starts.erase(sight.item);  // Stopped: its start need not be written.
  if (fetch.stopping) make_ready(fetch, std::move(transfer.item));  // It may have left a part.
}

// Fails an item whose landing a guard refuses; otherwise haul would fetch it again for ever.
void fail_refused(Desk& desk, Held& held, const ItemAsk& ask, const Refusal& why) {
  if (ask.on != On::landed || why.kind != RefusalKind::guarded) return;
  const ItemAsk fail{
      .n = ask.n, .from = ask.from, .on = On::fail, .reason = why.code, .detail = why.detail};
  desk.store.items().move(desk.hold(held.job), {&fail, 1}, desk.now());
}

ItemEnded ended(Held& held, ItemAsk& ask) {
  auto url = held.fetch.ending.extract(ask.n);
  return {.job = held.job.seen.id,
          .item = ask.n,
          .url = url.empty() ? "" : std::move(url.mapped()),
          .path = std::move(ask.path),
          .on = ask.on,
          .size = ask.size.value_or(0),
          .reason = std::move(ask.reason),
          .detail = std::move(ask.detail),
          .evidence = std::move(ask.proof.data)};
}

void land_fetched(Desk& desk, Held& held) {
  for (auto& [n, transfer] : held.fetch.at_work) {
    if (transfer.phase != Phase::fetched) continue;
    held.fetch.at_work.set_phase(transfer, Phase::landing);
    desk.outside.http.land(item_name(desk, held, transfer), desk.inbox);
  }
}

// Items that end in quick succession share a transaction: waiting for it costs less than one
// transaction each. If no other item is ready or moving, the worker writes at once.
bool is_worth_writing(const Desk& desk, const Fetch& fetch) {
  const std::size_t gathered = fetch.asks.size() + fetch.seen.size();
  const bool none_follows = fetch.ready.empty() && fetch.at_work.moving() == 0;
  return none_follows || gathered >= kGatherMax ||
         desk.clock.steady() - fetch.written >= desk.settings.gather;
}

// When the batch can start its next item. Now if it has items left at another host than its own.
Steady next_start(Desk& desk, const Held& held) {
  const Fetch& fetch = held.fetch;
  const Steady now = desk.clock.steady();
  Steady next = Steady::max();
  for (const auto& [host, items] : fetch.ready) {
    const bool is_own = host == held.job.lane;
    next = std::min(next, is_own ? desk.places.closed_until(host, fetch.own) : now);
  }
  for (const auto& [until, item] : fetch.waiting)
    next = std::min(next, host_of(item.url) == held.job.lane ? until : now);
  return next;
}

// A listing that waits for the job's own delay leaves its turn to those that wait for it. It begins
// again later, and is not put off a second time: see begin_listing.
void yield_listing(Desk& desk, Held& held) {
  const std::string& lane = held.job.lane;
  if (!desk.lanes.is_crowded(lane) || desk.lanes.is_vacated(lane)) return;
  const auto until = desk.places.waits_until(held.fetch.plan_start);
  const Millis wait = until ? *until - desk.clock.steady() : Millis{0};
  if (wait <= kOwnWait || desk.store.reader().due(lane, desk.now(), 1).empty()) return;
  desk.release(held.job, kHostWait, std::min(wait, desk.settings.wait_max));
}

// A batch that only waits for its host is not RUNNING: it is due again when the host is. One that
// waits by its own choice leaves its turn at once to those that wait for it.
void yield_to_host(Desk& desk, Held& held) {
  const Fetch& fetch = held.fetch;
  if (desk.is_asking(held.job.seen.id) || !fetch.at_work.empty()) return;
  if (fetch.planning) return yield_listing(desk, held);
  if (fetch.list_again || !fetch.has_work()) return;
  const Steady now = desk.clock.steady();
  const bool others_wait = fetch.own.apart > kOwnWait && desk.lanes.is_crowded(held.job.lane);
  const Millis patience = others_wait ? kOwnWait : desk.settings.yield_after;
  const Millis wait = next_start(desk, held) - now;
  if (wait > patience) desk.release(held.job, kHostWait, std::min(wait, desk.settings.wait_max));
}

// Whether nothing of an enumeration goes on any more: a program's folder is gone by then.
bool has_ended(const Sight& sight) {
  const auto* planned = std::get_if<Planned>(&sight.what);
  return sight.item == 0 &&
         ((planned && planned->complete) || std::holds_alternative<Failed>(sight.what) ||
          std::holds_alternative<Stopped>(sight.what));
}

void each_batch(Desk& desk, const std::function<void(Held&)>& act) {
  for (auto it = desk.held.begin(); it != desk.held.end();) {
    Held& held = (it++)->second;  // Advances first: `act` may drop the job.
    if (has_host_lanes(*held.job.seen.lifecycle)) act(held);
  }
}

}  // namespace

void transfer_items(Desk& desk) {
  each_batch(desk, [&](Held& held) {
    if (held.fetch.stopping) return end_stopping(desk, held);
    list_again(desk, held);
    end_waits(desk, held.fetch);
    read_ahead(desk, held);
  });
  start_items(desk);
  each_batch(desk, [&](Held& held) {
    const JobId id = held.job.seen.id;
    if (held.fetch.stopping || !is_worth_writing(desk, held.fetch)) return;
    write_items(desk, held);
    if (desk.held.contains(id)) end_if_done(desk, held);
    if (desk.held.contains(id)) yield_to_host(desk, held);
  });
}

void end_if_done(Desk& desk, Held& held) {
  if (held.fetch.has_work() || desk.is_asking(held.job.seen.id)) return;
  const Counts counts = desk.store.items().counts(held.job.seen.id);
  if (counts.processed() != counts.total) return;
  if (counts.enumerated) return desk.wish(held.job, {.wishes = {{.on = On::done}}});
  if (const auto& why = held.fetch.gave_up_listing)
    desk.wish(held.job, {.wishes = {{.on = On::fail,
                                     .reason = "listing_incomplete",
                                     .detail = fmt::format("{}: {}", why->code, why->detail)}}});
}

void write_items(Desk& desk, Held& held) {
  constexpr std::size_t kAtOnce = 2'000;
  Fetch& fetch = held.fetch;
  write_old_starts(desk, fetch);
  while (!fetch.asks.empty() || !fetch.seen.empty()) {
    const std::span asks = std::span{fetch.asks}.first(std::min(fetch.asks.size(), kAtOnce));
    const std::span seen = std::span{fetch.seen}.first(std::min(fetch.seen.size(), kAtOnce));
    const ItemAnswers answers =
        desk.store.items().write(desk.hold(held.job), asks, seen, desk.now());
    if (!answers.held) return desk.drop(held.job.seen.id);
    for (std::size_t i = 0; i < asks.size(); ++i) {
      if (!answers.moved[i])
        fail_refused(desk, held, asks[i], answers.moved[i].error());
      else if (asks[i].on != On::start)
        desk.on_item(ended(held, asks[i]));
    }
    fetch.asks.erase(fetch.asks.begin(), fetch.asks.begin() + static_cast<long>(asks.size()));
    fetch.seen.erase(fetch.seen.begin(), fetch.seen.begin() + static_cast<long>(seen.size()));
  }
  fetch.written = desk.clock.steady();
  land_fetched(desk, held);
}

void release_batch(Desk& desk, Held& held, const Fault& fault) {
  const JobId id = held.job.seen.id;
  write_items(desk, held);
  if (desk.held.contains(id))
    desk.release(held.job, fault.code, desk.settings.environment_wait, fault.detail);
}

void see_item(Desk& desk, Held& held, Sight& sight) {
  const bool of_former_listing =
      sight.item == 0 && sight.start != 0 && sight.start != held.fetch.plan_start;
  if (of_former_listing) return;
  if (auto& stopping = held.fetch.stopping;
      stopping && stopping->listing == sight.start && has_ended(sight))
    stopping->listing = 0;
  if (const auto* chosen = std::get_if<Chosen>(&sight.what))
    return take_choice(desk, held, *chosen);
  if (const auto* planned = std::get_if<Planned>(&sight.what))
    return take_plan(desk, held, *planned);
  if (sight.item != 0) return see_transfer(desk, held, sight);
  const auto* failed = std::get_if<Failed>(&sight.what);
  if (failed && held.fetch.planning) see_listing_failed(desk, held, *failed);
}

}  // namespace haul

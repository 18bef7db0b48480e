// Batch: fetches items through their engine, within the limits of their hosts. The worker collects
// changes of items and writes them once per turn, so that no transfer waits for the store's disk.

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/ensure.h"
#include "base/host.h"
#include "base/planted_bug.h"
#include "flow/batch/judge.h"
#include "flow/batch/work.h"
#include "flow/worker/answer.h"
#include "lifecycle/tables.h"
#include "seam/item_key.h"

namespace haul::flow {
namespace {

using Phase = Transfer::Phase;

constexpr Millis kQuick{100};                 // A file that is fetched sooner was small.
constexpr std::size_t kWriteAtOnceMax = 256;  // Changes of items to write together.

ItemMove start_of(std::int64_t n) {
  return {.n = n, .from = kItem.initial().name, .on = On::start};
}

// Queues the start of an item, if it is not written yet. It must come before any other change.
void write_start(Fetch& fetch, std::int64_t n) {
  if (fetch.starts.erase(n) == 1) fetch.asks.push_back(start_of(n));
}

// Queues starts that are a few turns old. An item that is fetched within that time needs one write
// instead of two.
void write_old_starts(const Batch& batch, Fetch& fetch) {
  constexpr int kTurns = 4;
  const Steady old = batch.desk.clock.steady() - kTurns * batch.desk.settings.write_items_every;
  for (auto it = fetch.starts.begin(); it != fetch.starts.end();) {
    const auto [n, since] = *it++;
    if (since <= old) write_start(fetch, n);
  }
}

// Other items of the job use the room that this one lacks. They go on, and haul tries this one
// again later.
void wait_for_room(Batch& batch, Fetch& fetch, Transfer& transfer, const Failed& failed) {
  Item& item = transfer.item;
  if (!failed.checkpoint.empty()) item.checkpoint = failed.checkpoint;
  item.have = std::max(item.have, transfer.have);
  item.reason = failed.fault.code;
  fetch.observed.push_back(
      {.n = item.n, .have = item.have, .checkpoint = item.checkpoint, .reason = item.reason});
  fetch.room_again = batch.desk.clock.steady() + batch.desk.settings.environment_wait;
  make_ready(fetch, std::move(item));
}

// The part of an item that failed stays for a retry or another link. If later jobs do not look for
// parts, the sweep removes it: with the job, or when it is old (see_clears).
void record_left(Batch& batch, Held& held) {
  if (batch.settings.past_parts == PastParts::find) return;
  if (std::exchange(fetch_of(held).has_left, true)) return;
  (void)batch.desk.store.intents().begin(batch.desk.hold(held.job),
                                         {.kind = kClearIntent, .data = {}}, batch.desk.now());
}

// Fails the item for good. A later job may find its part by its checkpoint.
void give_up(Batch& batch, Held& held, Transfer& transfer, const Failed& failed) {
  Item& item = transfer.item;
  // A failure without a transfer has no checkpoint, but an earlier try may have left a part.
  Failed last = failed;
  if (last.checkpoint.empty()) last.checkpoint = item.checkpoint;
  const bool keeps = leaves_part(last);
  item.checkpoint = last.checkpoint;
  if (keeps)
    record_left(batch, held);
  else
    batch.engine.stop(item_order(batch, held, transfer), Leftovers::remove, batch.desk.inbox);
  fetch_of(held).asks.push_back({.n = item.n,
                                 .from = item.state,
                                 .on = On::fail,
                                 .checkpoint = keeps ? last.checkpoint : "{}",
                                 .reason = failed.fault.code,
                                 .detail = failed.fault.detail});
}

// Gives up the source that failed. The item waits for a slot at the host of the next one.
void go_elsewhere(Fetch& fetch, Item item, const ItemVerdict& verdict, const std::string& reason,
                  const Elsewhere& next) {
  item.attempt = verdict.attempt;
  item.tries = verdict.tries;
  item.reason = reason;
  item.have = 0;
  item.size.reset();  // The next source has to say it.
  item.checkpoint = next.checkpoint;
  fetch.observed.push_back({.n = item.n,
                            .attempt = item.attempt,
                            .tries = item.tries,
                            .have = item.have,
                            .checkpoint = item.checkpoint,
                            .reason = item.reason});
  fetch.sources[item.n] = next.url;
  make_ready(fetch, std::move(item));
}

void fail_item(Batch& batch, Held& held, Transfer& transfer, const Failed& failed) {
  Item& item = transfer.item;
  const Fault& fault = failed.fault;
  write_start(fetch_of(held), item.n);
  const bool moved_forward = transfer.have > item.have;
  const ItemVerdict verdict =
      judge_item(kItem, item, fault, moved_forward, batch.settings, batch.desk.random.chance(),
                 fetch_of(held).own.retries, failed.elsewhere ? Sources::more : Sources::none_left);
  if (verdict.kind == ItemVerdict::Kind::release) {
    if (fault.code == "disk_full" && !fetch_of(held).at_work.empty())
      return wait_for_room(batch, fetch_of(held), transfer, failed);
    if (!failed.checkpoint.empty())
      fetch_of(held).observed.push_back({.n = item.n, .checkpoint = failed.checkpoint});
    return release_batch(batch, held, fault);
  }
  if (verdict.kind == ItemVerdict::Kind::elsewhere && failed.elsewhere)
    return go_elsewhere(fetch_of(held), std::move(item), verdict, fault.code, *failed.elsewhere);
  if (verdict.kind == ItemVerdict::Kind::fail) return give_up(batch, held, transfer, failed);
  // A start that was silent may still run, and would write beside the next one.
  if (failed.outcome_unknown)
    batch.engine.stop(item_order(batch, held, transfer), Leftovers::keep, batch.desk.inbox);
  const Millis wait =
      std::max(verdict.wait, std::min(Millis{failed.wait_ms}, batch.desk.settings.wait_max));
  item.attempt = verdict.attempt;
  item.tries = verdict.tries;
  item.have = std::max(item.have, transfer.have);
  item.reason = fault.code;
  if (!failed.checkpoint.empty()) item.checkpoint = failed.checkpoint;
  fetch_of(held).observed.push_back({.n = item.n,
                                     .attempt = item.attempt,
                                     .tries = item.tries,
                                     .due_at = batch.desk.now() + wait,
                                     .have = item.have,
                                     .checkpoint = item.checkpoint,
                                     .reason = fault.code});
  fetch_of(held).waiting.emplace(batch.desk.clock.steady() + wait, std::move(item));
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

void finish_item(Batch& batch, Held& held, Transfer& transfer, Finished& finished) {
  if (const auto fault = doubt(transfer.item, finished))
    return fail_item(batch, held, transfer, {.fault = *fault});
  write_start(fetch_of(held), transfer.item.n);
  fetch_of(held).asks.push_back({.n = transfer.item.n,
                                 .from = transfer.item.state,
                                 .on = On::landed,
                                 .path = std::move(finished.path),
                                 .size = finished.size,
                                 .proof = {Proof::evidence, std::move(finished.evidence)},
                                 .holds = {Guard::file_exists}});
}

// Keeps the progress of a transfer. Only a new checkpoint goes to the store.
void see_moving(Fetch& fetch, Transfer& transfer, const Moving& moving) {
  transfer.have = moving.have;
  if (!transfer.resumed) transfer.resumed = moving.have;
  transfer.about = moving.about;
  transfer.status = moving.status;
  if (moving.size) transfer.item.size = moving.size;
  if (!moving.path.empty()) transfer.item.path = moving.path;
  if (moving.checkpoint.empty()) return;
  transfer.item.checkpoint = moving.checkpoint;
  fetch.observed.push_back({.n = transfer.item.n,
                            .have = std::max<std::int64_t>(moving.have, 0),
                            .size = moving.size,
                            .checkpoint = moving.checkpoint});
}

// The slot at the host is free after the last byte. The file lands only when the store has its
// path and checkpoint, so that the next worker recognises it after a crash.
void see_fetched(Batch& batch, Fetch& fetch, Transfer& transfer, Fetched& fetched) {
  batch.desk.host_slots.give(transfer.start);
  fetch.at_work.set_phase(transfer, Phase::fetched);
  if (transfer.slot == Slot::now)
    fetch.is_quick = batch.desk.clock.steady() - transfer.started < kQuick;
  transfer.have = fetched.size;
  if (!transfer.resumed) transfer.resumed = fetched.size;
  transfer.item.path = fetched.path;
  transfer.item.checkpoint = fetched.checkpoint;
  if (fetch.starts.erase(transfer.item.n) == 1) {
    fetch.asks.push_back(start_of(transfer.item.n));
    fetch.asks.back().path = std::move(fetched.path);
    fetch.asks.back().size = fetched.size;
    fetch.asks.back().checkpoint = std::move(fetched.checkpoint);
    return;
  }
  fetch.observed.push_back({.n = transfer.item.n,
                            .size = fetched.size,
                            .path = std::move(fetched.path),
                            .checkpoint = std::move(fetched.checkpoint)});
}

void see_transfer(Batch& batch, Held& held, Sight& sight) {
  Fetch& fetch = fetch_of(held);
  Transfer* const known = fetch.at_work.find(sight.item);
  if (known == nullptr || known->start != sight.start) return;  // Of an earlier start, or repeated.
  known->heard = batch.desk.clock.steady();
  if (const auto* whole = std::get_if<Fetched>(&sight.what);
      whole && planted(PlantedBug::landing_skipped))
    sight.what = Finished{.path = whole->path, .size = whole->size, .evidence = "{}"};
  if (const auto* moving = std::get_if<Moving>(&sight.what))
    return see_moving(fetch, *known, *moving);
  if (auto* fetched = std::get_if<Fetched>(&sight.what))
    return see_fetched(batch, fetch, *known, *fetched);
  auto* finished = std::get_if<Finished>(&sight.what);
  const auto* failed = std::get_if<Failed>(&sight.what);
  if (!finished && !failed && !std::holds_alternative<Stopped>(sight.what)) return;
  Transfer transfer = fetch.at_work.take(sight.item);
  if (finished) fetch.receipts.erase(sight.item);
  if (finished) fetch.sources.erase(sight.item);
  fetch.ending[sight.item] = {transfer.item.key, transfer.item.url};
  batch.desk.host_slots.give(transfer.start);
  if (finished) transfer.have = finished->size;
  fetch.received += transfer.received();
  if (finished) finish_item(batch, held, transfer, *finished);
  const bool for_good = held.stopping && held.stopping->leftovers == Leftovers::remove;
  if (failed && !for_good) return fail_item(batch, held, transfer, *failed);
  if (finished || failed) return;
  // Stopped: a start that is not written yet need not be. The item may have left a part.
  if (fetch.starts.erase(sight.item) == 1) transfer.item.state = kItem.initial().name;
  if (!held.stopping) fetch.is_quick = false;  // It waited too long for a slot.
  make_ready(fetch, std::move(transfer.item));
}

// Fails an item whose landing a guard refuses; otherwise haul would fetch it again for ever.
void fail_refused(Batch& batch, Held& held, const ItemMove& ask, const Refusal& why) {
  if (ask.on != On::landed || why.kind != RefusalKind::guarded) return;
  const ItemMove fail{
      .n = ask.n, .from = ask.from, .on = On::fail, .reason = why.code, .detail = why.detail};
  batch.desk.store.items().move(batch.desk.hold(held.job), {&fail, 1}, batch.desk.now());
}

ItemEnded ended(Held& held, ItemMove& ask) {
  auto found = fetch_of(held).ending.extract(ask.n);
  Fetch::Ending item = found.empty() ? Fetch::Ending{} : std::move(found.mapped());
  return {.job = held.job.version.id,
          .item = ask.n,
          .key = std::move(item.key),
          .url = std::move(item.url),
          .path = std::move(ask.path),
          .on = ask.on,
          .size = ask.size.value_or(0),
          .reason = std::move(ask.reason),
          .detail = std::move(ask.detail),
          .evidence = std::move(ask.proof.data),
          .received = fetch_of(held).received};
}

void land_fetched(Batch& batch, Held& held) {
  for (auto& [n, transfer] : fetch_of(held).at_work) {
    if (transfer.phase != Phase::fetched) continue;
    fetch_of(held).at_work.set_phase(transfer, Phase::landing);
    batch.engine.land(item_name(batch, held, transfer), batch.desk.inbox);
  }
}

// Items that end in quick succession share a transaction: waiting for it costs less than one
// transaction each. If no other item is ready or moving, the worker writes at once.
bool is_worth_writing(const Batch& batch, const Fetch& fetch) {
  const std::size_t unwritten = fetch.asks.size() + fetch.observed.size();
  const bool none_follows = fetch.ready.empty() && fetch.at_work.moving() == 0;
  return none_follows || unwritten >= kWriteAtOnceMax ||
         batch.desk.clock.steady() - fetch.written >= batch.desk.settings.write_items_every;
}

// When the batch can start its next item. Now if it has items at another host than its lane's.
Steady next_start(Batch& batch, const Held& held) {
  const Fetch& fetch = fetch_of(held);
  const Steady now = batch.desk.clock.steady();
  Steady next = Steady::max();
  for (const auto& [host, items] : fetch.ready) {
    const bool is_own = host == held.job.lane;
    next = std::min(next, is_own ? batch.desk.host_slots.closed_until(host, fetch.own) : now);
  }
  for (const auto& [until, item] : fetch.waiting)
    next = std::min(next, host_of(fetch.source_of(item)) == held.job.lane ? until : now);
  return next;
}

// While a listing waits for the job's own delay, its job leaves the host's lane to other jobs that
// are due. The next lease begins the listing again, with a shorter delay: see begin_listing.
void yield_listing(Batch& batch, Held& held) {
  const std::string& lane = held.job.lane;
  if (!batch.desk.lanes.is_crowded(lane) || batch.desk.lanes.is_vacated(lane)) return;
  const auto until = batch.desk.host_slots.waits_until(fetch_of(held).listing.start);
  const Millis wait = until ? *until - batch.desk.clock.steady() : Millis{0};
  if (wait <= kOwnWait || batch.desk.store.reader().due(lane, batch.desk.now(), 1).empty()) return;
  batch.desk.release(held.job, kHostWait, std::min(wait, batch.desk.settings.wait_max));
}

// Gives back a batch that only waits for its host. It is due again when the host has a free slot.
// If the batch waits for its own delay and other jobs wait for the lane, this happens sooner.
void yield_to_host(Batch& batch, Held& held) {
  const Fetch& fetch = fetch_of(held);
  if (batch.desk.is_asking(held.job.version.id) || !fetch.at_work.empty()) return;
  if (fetch.listing.is == ListingIs::running) return yield_listing(batch, held);
  if (fetch.listing.is == ListingIs::waiting || !fetch.has_work()) return;
  const Steady now = batch.desk.clock.steady();
  const bool others_wait = fetch.own.apart > kOwnWait && batch.desk.lanes.is_crowded(held.job.lane);
  const Millis patience = others_wait ? kOwnWait : batch.settings.yield_after;
  const Millis wait = next_start(batch, held) - now;
  if (wait > patience)
    batch.desk.release(held.job, kHostWait, std::min(wait, batch.desk.settings.wait_max));
}

// Whether the sight says that a listing has ended. By then a program's folder is gone.
bool is_listing_end(const Sight& sight) {
  const auto* planned = std::get_if<Planned>(&sight.what);
  return sight.item == 0 &&
         ((planned && planned->complete) || std::holds_alternative<Failed>(sight.what) ||
          std::holds_alternative<Stopped>(sight.what));
}

void each_batch(Batch& batch, const std::function<void(Held&)>& act) {
  for (auto it = batch.desk.held.begin(); it != batch.desk.held.end();) {
    Held& held = (it++)->second;  // Advances first: `act` may drop the job.
    if (held.job.version.lifecycle == &kBatch) act(held);
  }
}

}  // namespace

void transfer_items(Batch& batch) {
  each_batch(batch, [&](Held& held) {
    if (held.stopping) return;
    list_again(batch, held);
    end_waits(batch, fetch_of(held));
    read_ahead(batch, held);
  });
  start_items(batch);
  each_batch(batch, [&](Held& held) {
    const JobId id = held.job.version.id;
    if (held.stopping || !is_worth_writing(batch, fetch_of(held))) return;
    write_items(batch, held);
    if (batch.desk.held.contains(id)) end_if_done(batch, held);
    if (batch.desk.held.contains(id)) yield_to_host(batch, held);
  });
}

void end_if_done(Batch& batch, Held& held) {
  if (fetch_of(held).has_work() || batch.desk.is_asking(held.job.version.id)) return;
  const Counts counts = batch.desk.store.items().counts(held.job.version.id);
  if (counts.processed() != counts.total) return;
  if (counts.enumerated) return batch.desk.ask(held.job, {.moves = {{.on = On::done}}});
  const Fetch::Listing& listing = fetch_of(held).listing;
  if (listing.is == ListingIs::given_up)
    batch.desk.ask(
        held.job,
        answer_final(held.job, {FaultKind::permanent, "listing_incomplete",
                                fmt::format("{}: {}", listing.fault.code, listing.fault.detail)}));
}

void write_items(Batch& batch, Held& held) {
  constexpr std::size_t kAtOnce = 2'000;
  Fetch& fetch = fetch_of(held);
  write_old_starts(batch, fetch);
  while (!fetch.asks.empty() || !fetch.observed.empty()) {
    const std::span asks = std::span{fetch.asks}.first(std::min(fetch.asks.size(), kAtOnce));
    const std::span seen =
        std::span{fetch.observed}.first(std::min(fetch.observed.size(), kAtOnce));
    const ItemAnswers answers =
        batch.desk.store.items().write(batch.desk.hold(held.job), asks, seen, batch.desk.now());
    if (!answers.held) return batch.desk.drop(held.job.version.id);
    ensure(answers.moved.size() == asks.size(), "the store answers every move of an item");
    for (std::size_t i = 0; i < asks.size(); ++i) {
      if (!answers.moved[i])
        fail_refused(batch, held, asks[i], answers.moved[i].error());
      else if (asks[i].on != On::start)
        batch.desk.on_item(ended(held, asks[i]));
    }
    fetch.asks.erase(fetch.asks.begin(), fetch.asks.begin() + static_cast<long>(asks.size()));
    fetch.observed.erase(fetch.observed.begin(),
                         fetch.observed.begin() + static_cast<long>(seen.size()));
  }
  fetch.written = batch.desk.clock.steady();
  if (!held.stopping) land_fetched(batch, held);
}

void release_batch(Batch& batch, Held& held, const Fault& fault) {
  const JobId id = held.job.version.id;
  write_items(batch, held);
  if (batch.desk.held.contains(id))
    batch.desk.release(held.job, fault.code, batch.desk.settings.environment_wait, fault.detail);
}

void see_batch(Batch& batch, Held& held, Sight& sight) {
  Fetch::Listing& listing = fetch_of(held).listing;
  const bool of_former_listing =
      sight.item == 0 && sight.start != 0 && sight.start != listing.start;
  if (of_former_listing) return;
  const bool has_stopped = listing.is == ListingIs::stopping && sight.start == listing.start;
  if (has_stopped && is_listing_end(sight)) listing.is = ListingIs::idle;
  if (const auto* chosen = std::get_if<Chosen>(&sight.what))
    return take_choice(batch, held, *chosen);
  if (const auto* planned = std::get_if<Planned>(&sight.what))
    return take_plan(batch, held, *planned);
  if (sight.item != 0) return see_transfer(batch, held, sight);
  const auto* failed = std::get_if<Failed>(&sight.what);
  if (failed && listing.is == ListingIs::running) see_listing_failed(batch, held, *failed);
}

namespace {

// Removes the parts of items that are not in transfer. An item that left a part has a checkpoint.
void remove_parts(Batch& batch, const Held& held) {
  const auto remove = [&](const Item& item) {
    if (item.checkpoint.empty()) return;
    Order order = batch.desk.order(held);
    order.item = item.n;
    order.key = item.key;
    order.checkpoint = item.checkpoint;
    batch.engine.stop(order, Leftovers::remove, batch.desk.inbox);
  };
  for (const auto& [until, item] : fetch_of(held).waiting) remove(item);
  for (const auto& [host, items] : fetch_of(held).ready) std::ranges::for_each(items, remove);
}

}  // namespace

void stop_transfers(Batch& batch, Held& held, Leftovers leftovers) {
  Fetch& fetch = fetch_of(held);
  if (fetch.listing.is == ListingIs::running) {
    Order order = batch.desk.order(held);
    order.start = fetch.listing.start;
    end_listing(batch, held);
    fetch.listing.is = ListingIs::stopping;
    batch.engine.stop(order, leftovers, batch.desk.inbox);
  }
  if (fetch.listing.is == ListingIs::waiting) fetch.listing.is = ListingIs::idle;
  for (const auto& [n, transfer] : fetch.at_work) {
    batch.engine.stop(item_name(batch, held, transfer), leftovers, batch.desk.inbox);
    batch.desk.host_slots.give(transfer.start);
  }
  if (leftovers == Leftovers::remove) remove_parts(batch, held);
}

}  // namespace haul::flow

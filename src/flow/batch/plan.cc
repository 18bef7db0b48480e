// Batch: enumerates the items of a job and stores them.

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"
#include "flow/batch/judge.h"
#include "flow/batch/request_limits.h"
#include "flow/batch/work.h"
#include "lifecycle/tables.h"
#include "store/reader.h"

namespace haul::flow {
namespace {

constexpr std::size_t kAddAtOnce = 4'000;
constexpr std::int64_t kItemsMax = 1'000'000;  // Per job. The store has room for 16,777,215.

// Whether this is the job's first claim, so that no earlier worker can have planned it.
bool is_fresh(const Held& held) { return held.job.version.seq == 1; }

// For how many items a job has room.
struct ItemRoom {
  std::int64_t taken = 0;  // The job has this many items at most.
  std::int64_t most = kItemsMax;
};

enum class AddedItems : std::uint8_t { all, too_many, lease_lost };

void report_skipped(Batch& batch, const Held& held, std::span<const NewItem> items) {
  for (const NewItem& item : items)
    if (!item.skip.empty())
      batch.desk.on_item({.job = held.job.version.id,
                          .key = item.key,
                          .url = item.url,
                          .on = On::skip,
                          .reason = item.skip});
}

// Adds items in parts; only the last may complete the enumeration. Ends with the part that makes
// the job too large. The store has that part, too: only it knows which items are new.
AddedItems add_items(Batch& batch, Held& held, std::span<const NewItem> items, Enumeration last,
                     ItemRoom room) {
  fetch_of(held).unread = true;
  Items& store = batch.desk.store.items();
  const Hold hold = batch.desk.hold(held.job);
  auto enumeration = Enumeration::goes_on;
  do {
    const std::span part = items.first(std::min(items.size(), kAddAtOnce));
    items = items.subspan(part.size());
    const bool fits = room.taken + std::ssize(part) <= room.most;
    enumeration = items.empty() && fits ? last : Enumeration::goes_on;
    const auto counts = store.add(hold, part, enumeration, batch.desk.now());
    if (!counts) return AddedItems::lease_lost;
    report_skipped(batch, held, part);
    room.taken = counts->total;
    if (room.taken > room.most) return AddedItems::too_many;
  } while (!items.empty());
  const bool is_done = enumeration == last || store.add(hold, {}, last, batch.desk.now());
  return is_done ? AddedItems::all : AddedItems::lease_lost;
}

// If the listing goes on, the unknown outcome makes see_listing_failed() stop it.
Failed too_many_items(const Planned& planned) {
  return {.fault = {FaultKind::permanent, "too_long_a_list",
                    fmt::format("more than {} items", kItemsMax)},
          .outcome_unknown = !planned.complete,
          .checkpoint = {}};
}

// The last job before this one, in a chain of retries, that has items. haul skips a retry that was
// cancelled before it had any, because it would have had the items of the job before it.
JobId listed_before(Batch& batch, const Job& job) {
  constexpr int kChainMax = 100;
  JobId before = job.retry_of;
  for (int i = 0; i < kChainMax && before; ++i) {
    if (batch.desk.store.items().counts(before).total > 0) return before;
    const auto earlier = batch.desk.store.reader().find(before);
    before = earlier ? earlier->retry_of : JobId{};
  }
  return {};
}

// The part that a failed item has left. Empty if there is none.
std::string left_by(const Item& item) { return is_resumable(item) ? item.checkpoint : ""; }

// Z-8: a retry has the items that failed or were cancelled in the job it repeats, and no others.
// Empty if that job has no such items, or had not found all of its items: then the retry lists them
// again.
std::vector<NewItem> items_left(Batch& batch, JobId job) {
  std::vector<NewItem> items;
  if (!job || !batch.desk.store.items().counts(job).enumerated) return items;
  for (const std::string_view state : states_without_file(kItem))
    for (auto page = batch.desk.store.items().list(job, state, 0, kListMax); !page.empty();
         page = batch.desk.store.items().list(job, state, page.back().n, kListMax))
      for (const Item& item : page)
        items.push_back({item.key, item.url, item.size, "", left_by(item)});
  return items;
}

// Ignores limits that an older haul accepted and this one refuses.
OwnLimits own_limits(const Held& held) {
  const std::string& request = held.request;
  OwnLimits own;
  if (request.find("\"limits\"") != std::string::npos)  // Most requests have none.
    if (const auto fields = read_object(request))
      own = read_own_limits(*fields).value_or(OwnLimits{});
  own.job = held.job.version.id;
  return own;
}

// A listing begins anew under each lease. If its job was given back because of the job's own delay,
// the listing would never end with that delay. Its requests are then kOwnWait apart at most.
OwnLimits listing_limits(const Held& held) {
  OwnLimits own = fetch_of(held).own;
  if (held.job.reason == kHostWait) own.apart = std::min(own.apart, kOwnWait);
  return own;
}

}  // namespace

void plan(Batch& batch, Held& held) {
  fetch_of(held).own = own_limits(held);
  fetch_of(held).unread = !is_fresh(held);
  // A job with another link for an item of an earlier one has had that item from the start.
  const bool may_know = !is_fresh(held) || held.job.retry_of;
  if (may_know && batch.desk.store.items().counts(held.job.version.id).enumerated) {
    fetch_of(held).unread = true;
    return;
  }
  const std::vector<NewItem> left = items_left(batch, listed_before(batch, held.job));
  if (!left.empty()) {
    const JobId id = held.job.version.id;
    // As many as an earlier haul let the job have.
    const ItemRoom room{.most = std::max<std::int64_t>(kItemsMax, std::ssize(left))};
    if (add_items(batch, held, left, Enumeration::complete, room) != AddedItems::all)
      batch.desk.drop(id);
    return;
  }
  if (give_up_listing(batch, held)) return;
  begin_listing(batch, held);
}

void begin_listing(Batch& batch, Held& held) {
  Fetch::Listing& listing = fetch_of(held).listing;
  listing.is = ListingIs::running;
  listing.start = batch.desk.count_plan();
  batch.desk.host_slots.expect(listing.start, listing_limits(held));
  Order order = batch.desk.order(held);
  order.start = listing.start;
  batch.engine.plan(order, batch.desk.inbox);
}

void end_listing(Batch& batch, Held& held) {
  fetch_of(held).listing.is = ListingIs::idle;
  batch.desk.host_slots.give(fetch_of(held).listing.start);
}

// If the request names no engine, writes the chosen one into the job, and the reason into its
// events.
void take_choice(Batch& batch, Held& held, const Chosen& chosen) {
  const bool is_first = fetch_of(held).listing.found == 0;
  if (!chosen.warning.empty() && is_first)  // Once, not with each repeated listing.
    batch.desk.store.events().note(
        held.job.version.id, "LOG",
        fmt::format(R"({{"message":{},"level":"warning"}})", json_quoted(chosen.warning)),
        batch.desk.now());
  if (held.job.engine == chosen.engine) return;  // Reported again after a recovery.
  held.job.engine = chosen.engine;
  const Observation seen{
      .version = held.job.version, .worker = batch.desk.worker, .engine = chosen.engine};
  batch.desk.store.jobs().observe({&seen, 1}, batch.desk.now());
  batch.desk.store.events().note(
      held.job.version.id, "LOG",
      fmt::format(R"({{"message":{},"level":"info"}})",
                  json_quoted(fmt::format("engine {}: {}", chosen.engine, chosen.reason))),
      batch.desk.now());
}

void take_plan(Batch& batch, Held& held, const Planned& planned) {
  Fetch::Listing& listing = fetch_of(held).listing;
  if (listing.is != ListingIs::running) return;  // Reported twice.
  if (planned.complete) end_listing(batch, held);
  // Spares small jobs a read: a first claim has no more items than its listings have found.
  const ItemRoom room{.taken = is_fresh(held)
                                   ? listing.found
                                   : batch.desk.store.items().counts(held.job.version.id).total};
  listing.found += std::ssize(planned.items);
  const bool nothing =
      planned.complete && listing.found == 0 &&
      (is_fresh(held) || batch.desk.store.items().counts(held.job.version.id) == Counts{});
  if (nothing) return batch.desk.ask(held.job, {.moves = {{.on = On::done}}});
  std::vector<NewItem> items;
  items.reserve(planned.items.size());
  for (const FoundItem& found : planned.items)
    items.push_back({found.key, found.url, found.size, found.skip});
  const auto enumeration = planned.complete ? Enumeration::complete : Enumeration::goes_on;
  switch (add_items(batch, held, items, enumeration, room)) {
    case AddedItems::all:
      return;
    case AddedItems::too_many:
      return see_listing_failed(batch, held, too_many_items(planned));
    case AddedItems::lease_lost:
      return batch.desk.drop(held.job.version.id);
  }
}

}  // namespace haul::flow

// Batch: enumerates the items of a job and stores them.

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"
#include "flow/verbs.h"
#include "store/reader.h"

namespace haul {
namespace {

constexpr std::size_t kAddAtOnce = 4'000;

// Whether this is the job's first claim, so that no earlier worker can have planned it.
bool is_fresh(const Held& held) { return held.job.seen.seq == 1; }

// Adds items in parts; only the last may complete the enumeration. False if the lease is lost.
bool add_items(Desk& desk, Held& held, std::span<const NewItem> items, Enumeration last) {
  held.fetch.unread = true;
  do {
    const std::span part = items.first(std::min(items.size(), kAddAtOnce));
    items = items.subspan(part.size());
    const Enumeration enumeration = items.empty() ? last : Enumeration::goes_on;
    if (!desk.store.items().add(desk.hold(held.job), part, enumeration, desk.now())) return false;
  } while (!items.empty());
  return true;
}

// The last job before this one, in a chain of retries, that listed at all: one that was cancelled
// before it began would have repeated what the job before it left.
JobId listed_before(Desk& desk, const Job& job) {
  constexpr int kChainMax = 100;
  JobId before = job.retry_of;
  for (int i = 0; i < kChainMax && before; ++i) {
    if (desk.store.items().counts(before).total > 0) return before;
    const auto earlier = desk.store.reader().find(before);
    before = earlier ? earlier->retry_of : JobId{};
  }
  return {};
}

// Z-8: a retry has the items that failed or were cancelled in the job it repeats, and no others.
// Empty: it lists anew, because that job had not found all of its items, or none of them is left.
std::vector<NewItem> items_left(Desk& desk, JobId job) {
  std::vector<NewItem> items;
  if (!job || !desk.store.items().counts(job).enumerated) return items;
  for (const std::string_view state : {"FAILED", "CANCELLED"})
    for (auto page = desk.store.items().list(job, state, 0, kListMax); !page.empty();
         page = desk.store.items().list(job, state, page.back().n, kListMax))
      for (const Item& item : page) items.push_back({item.key, item.url, item.size, ""});
  return items;
}

// Ignores limits that an older haul accepted and this one refuses.
OwnLimits own_limits(const Held& held) {
  const std::string& request = held.request;
  OwnLimits own;
  if (request.find("\"limits\"") != std::string::npos)  // Most requests have none.
    if (const auto fields = read_object(request))
      own = read_own_limits(*fields).value_or(OwnLimits{});
  own.job = held.job.seen.id;
  return own;
}

// A listing begins anew under each lease. One that was given back because of its own delay would
// never end if it kept that delay: the second time its requests are kOwnWait apart.
OwnLimits listing_limits(const Held& held) {
  OwnLimits own = held.fetch.own;
  if (held.job.reason == kHostWait) own.apart = std::min(own.apart, kOwnWait);
  return own;
}

}  // namespace

void plan(Desk& desk, Held& held) {
  held.fetch.own = own_limits(held);
  held.fetch.unread = !is_fresh(held);
  if (!is_fresh(held) && desk.store.items().counts(held.job.seen.id).enumerated) return;
  const std::vector<NewItem> left = items_left(desk, listed_before(desk, held.job));
  if (!left.empty()) {
    const JobId id = held.job.seen.id;
    if (!add_items(desk, held, left, Enumeration::complete)) desk.drop(id);
    return;
  }
  if (has_given_up(desk, held)) return;
  begin_listing(desk, held);
}

void begin_listing(Desk& desk, Held& held) {
  held.fetch.planning = true;
  held.fetch.plan_start = desk.count_plan();
  desk.places.expect(held.fetch.plan_start, listing_limits(held));
  Order order = desk.order(held);
  order.start = held.fetch.plan_start;
  desk.outside.http.plan(order, desk.inbox);
}

void end_planning(Desk& desk, Held& held) {
  held.fetch.planning = false;
  desk.places.give(held.fetch.plan_start);
}

// If the request names no engine, writes the chosen one into the job, and the reason into its
// events.
void take_choice(Desk& desk, Held& held, const Chosen& chosen) {
  if (!chosen.warning.empty() && !held.fetch.found)  // Once, not with each repeated listing.
    desk.store.events().note(
        held.job.seen.id, "LOG",
        fmt::format(R"({{"message":{},"level":"warning"}})", json_quoted(chosen.warning)),
        desk.now());
  if (held.job.engine == chosen.engine) return;  // Reported again after a recovery.
  held.job.engine = chosen.engine;
  const Observation seen{.seen = held.job.seen, .worker = desk.worker, .engine = chosen.engine};
  desk.store.jobs().observe({&seen, 1}, desk.now());
  desk.store.events().note(
      held.job.seen.id, "LOG",
      fmt::format(R"({{"message":{},"level":"info"}})",
                  json_quoted(fmt::format("engine {}: {}", chosen.engine, chosen.reason))),
      desk.now());
}

void take_plan(Desk& desk, Held& held, const Planned& planned) {
  if (!held.fetch.planning) return;  // Reported twice.
  if (planned.complete) end_planning(desk, held);
  held.fetch.found |= !planned.items.empty();
  const bool nothing = planned.complete && !held.fetch.found &&
                       (is_fresh(held) || desk.store.items().counts(held.job.seen.id) == Counts{});
  if (nothing) return desk.wish(held.job, {.wishes = {{.on = On::done}}});
  std::vector<NewItem> items;
  items.reserve(planned.items.size());
  for (const FoundItem& found : planned.items)
    items.push_back({found.key, found.url, found.size, found.skip});
  const auto enumeration = planned.complete ? Enumeration::complete : Enumeration::goes_on;
  if (!add_items(desk, held, items, enumeration)) return desk.drop(held.job.seen.id);
  for (const NewItem& item : items)
    if (!item.skip.empty())
      desk.on_item({.job = held.job.seen.id, .url = item.url, .on = On::skip, .reason = item.skip});
}

}  // namespace haul

// Stops a running batch, to cancel or to pause it. The cancel or pause takes effect when all its
// transfers have stopped, or after kStopWithin.

#include "flow/verbs.h"

namespace haul {
namespace {

constexpr Millis kStopWithin{1'500};  // S2-12: two seconds, less the time to notice and write.

// Whether the batch is stopping for this already. A cancel overrides a pause, even one in progress.
bool is_stopping(const Fetch& fetch, Parts parts) {
  return fetch.stopping && (parts == Parts::keep || fetch.stopping->parts == Parts::remove);
}

}  // namespace

void see_wishes(Desk& desk) {
  see_cancels(desk);
  see_pauses(desk);
}

void stop_batch(Desk& desk, Held& held, Parts parts) {
  if (is_stopping(held.fetch, parts)) return;
  const JobId job = held.job.seen.id;
  write_items(desk, held);
  if (!desk.held.contains(job)) return;
  end_if_done(desk, held);
  if (desk.is_asking(job)) return;  // It ended before anybody stopped it.
  Stopping stopping = held.fetch.stopping.value_or(Stopping{});
  stopping.since = desk.clock.steady();
  stopping.parts = parts;
  if (held.fetch.planning) stopping.listing = held.fetch.plan_start;
  held.fetch.stopping = stopping;
  desk.stop_transfers(held, parts);
  end_stopping(desk, held);
}

void end_stopping(Desk& desk, Held& held) {
  const JobId job = held.job.seen.id;
  const Stopping stopping = held.fetch.stopping.value_or(Stopping{});
  const bool goes_on = !held.fetch.at_work.empty() || stopping.listing != 0;
  const bool waits = goes_on && desk.clock.steady() - stopping.since < kStopWithin;
  if (waits || desk.is_asking(job)) return;
  write_items(desk, held);
  if (!desk.held.contains(job)) return;
  if (stopping.parts == Parts::remove) return cancel_stopped(desk, held);
  end_if_done(desk, held);
  if (!desk.is_asking(job)) pause_stopped(desk, held);
}

}  // namespace haul

// What an ended batch left on the disk: parts of items that waited when it was cancelled, and all
// parts of one that ended while no worker held it. The engine finds them by their names.

#include "flow/verbs.h"

namespace haul {
namespace {

constexpr std::size_t kClearsMax = 100;

}  // namespace

void see_clears(Desk& desk) {
  if (desk.is_restored()) return;
  for (const Intent& clear : desk.next_open(kClearIntent, kClearsMax)) {
    const auto job = desk.store.reader().find(clear.job);
    if (!job || job->state().is_open()) continue;  // An earlier version wished before it moved.
    const SharedText request{desk.store.reader().request(clear.job).value_or("{}")};
    desk.outside.http.stop(desk.order(*job, request), Parts::remove, desk.inbox);
  }
}

void see_cleared(Desk& desk, JobId job) {
  if (const auto clear = desk.store.intents().find_open(job, kClearIntent))
    desk.store.intents().settle(clear->id, IntentState::done, "cleared", desk.now());
}

}  // namespace haul

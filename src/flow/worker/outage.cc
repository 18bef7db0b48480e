#include "flow/worker/outage.h"

#include <algorithm>
#include <utility>

namespace haul::flow {
namespace {

bool is_same_start(const Sight& a, const Sight& b) {
  return a.job == b.job && a.item == b.item && a.fence == b.fence && a.start == b.start;
}

// A sight leaves out what has not changed, so the newer one needs the values of the older.
void add_known(Moving& newer, Moving& older) {
  if (!newer.size) newer.size = older.size;
  if (newer.path.empty()) newer.path = std::move(older.path);
  if (newer.checkpoint.empty()) newer.checkpoint = std::move(older.checkpoint);
}

}  // namespace

Outage outage_of(const StoreFault& fault, const Clock& clock) {
  const bool full = fault.kind() == StoreFault::Kind::full;
  return {.code = full ? "disk_full" : "store_busy",
          .detail = full ? "the disk of the data folder is full: no work is taken until there is "
                           "room; free space, and haul continues by itself"
                         : "the database is locked by another process or overloaded: no work is "
                           "taken until it can be written; haul continues by itself",
          .cause = fault.what(),
          .since = clock.now(),
          .probed = clock.steady()};
}

void put_behind(std::deque<Sight>& waiting, Sight sight) {
  auto* const newer = std::get_if<Moving>(&sight.what);
  if (newer == nullptr) return waiting.push_back(std::move(sight));
  const auto last = std::ranges::find_if(waiting.rbegin(), waiting.rend(), [&](const Sight& each) {
    return is_same_start(each, sight);
  });
  auto* const older = last == waiting.rend() ? nullptr : std::get_if<Moving>(&last->what);
  if (older == nullptr) return waiting.push_back(std::move(sight));
  add_known(*newer, *older);
  last->what = std::move(sight.what);
}

}  // namespace haul::flow

#pragma once
// Empties the trash of what has been there for long enough: the work of a duty, so one process of
// many does it. It counts only the time that haul ran (flow/worker/lived.h), so a wrong wall clock
// deletes nothing early.

#include <functional>
#include <optional>
#include <span>

#include "seam/trash.h"
#include "store/store.h"
#include "store/uptime.h"

namespace haul::flow {

// Files that were trashed until then are old enough. No value if haul has not run for so long.
// Pure.
std::optional<Time> trash_until(std::span<const Stretch> stretches, Millis keeps_for);

class TrashKeeper {
 public:
  // Whether this process still has the duty, and goes on. Asked before each file.
  using MayDelete = std::function<bool()>;
  // Called with the number of files that were deleted, and with those that could not be.
  using Told = std::function<void(const TrashEmptied& emptied)>;
  // Without a trash (null) it does nothing.
  TrashKeeper(Store& store, Trash* trash, MayDelete may_delete, Told told);

  // Deletes a bounded number of files, and returns when to call it again. Z-31: none in a restored
  // store.
  Millis step();

 private:
  // Walks on through the jobs. Returns when to go on.
  Millis walk(Time until, TrashEmptied& done);
  // Empties a job's trash. False if files are left for the next turn.
  bool empty(JobId job, Time until, TrashEmptied& done);

  Store& store_;
  Trash* const trash_;
  const MayDelete may_delete_;
  const Told told_;
  JobId below_;  // The walk goes on with older jobs than this one. Zero: a new walk.
};

}  // namespace haul::flow

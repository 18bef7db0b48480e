#include "flow/restored.h"

#include "lifecycle/tables.h"

namespace haul {

bool begins_when_restored(const Lifecycle& lifecycle) {
  return &lifecycle != &kRelay && &lifecycle != &kImage;
}

bool is_held_back(const Job& job, bool cancel_asked) {
  if (!job.state().is_open() || job.worker) return false;
  if (!begins_when_restored(*job.seen.lifecycle)) return true;
  const bool is_with_client = job.state().step == Step::transfer && !job.state().is_leased();
  if (is_with_client) return job.handle.empty() || cancel_asked;
  return job.reason == kRestored;
}

}  // namespace haul

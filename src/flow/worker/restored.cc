#include "flow/worker/restored.h"

namespace haul::flow {

bool begins_when_restored(const Lifecycle& lifecycle) {
  return lifecycle.when_restored == WhenRestored::begins;
}

bool is_held_back(const Job& job, bool cancel_asked) {
  if (!job.state().is_open()) return false;
  if (job.worker) return job.reason == kRestored && !cancel_asked;  // It waits under its lease.
  if (!begins_when_restored(*job.version.lifecycle)) return true;
  if (job.state().is_at_client()) return job.handle.empty() || cancel_asked;
  return job.reason == kRestored;
}

}  // namespace haul::flow

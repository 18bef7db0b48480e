#pragma once
// Stops held jobs: those that a user wants cancelled or paused, and all of them when the worker
// ends. A wish is the user's recorded cancel or pause. The worker that holds the job answers it
// when nothing of the job goes on any more, or two seconds after the user asked.

#include <chrono>
#include <functional>
#include <optional>

#include "flow/worker/desk.h"

namespace haul::flow {

// Handles users' open cancels and pauses, and what they say about jobs that wait.
void see_wishes(Desk& desk);
void see_cancels(Desk& desk);
// Answers a cancel that the job's state refuses.
void refuse_cancel(Desk& desk, IntentId wish);
// Answers a cancel when its move is granted.
Desk::Then settle_cancel(Desk& desk, IntentId wish);
// Cancels or pauses the held jobs that have stopped by now.
void end_stopping(Desk& desk);
// Tells the job's handler, once, to stop and to keep what it has, because this worker ends.
void stop_and_keep(Desk& desk, Held& held);
// Removes what ended jobs left behind, where the store has an intent for it. The parts that a job
// with a good end has left for a retry stay for kPartsKept, or until a user deletes the job.
// `before` is as for Retention::run.
inline constexpr Millis kPartsKept = std::chrono::days{7};
void see_clears(Desk& desk, const std::function<std::optional<Time>(Millis age)>& before);
// Called when the parts of this job are removed. Settles its intent.
void see_cleared(Desk& desk, JobId job);

}  // namespace haul::flow

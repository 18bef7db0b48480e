#pragma once
// Events as a stream tells them (server-sent events), one text for each.

#include <span>
#include <string>
#include <vector>

#include "store/events.h"

namespace haul {

// Items that end together share one stored JOB_PROGRESS. Live, one follows each item (Z-6): those
// that are not stored carry no id and the event name job_progress.
std::vector<std::string> event_frames(std::span<const Event> events);

}  // namespace haul

#pragma once
// Events as frames of a stream (server-sent events), one text per event.

#include <span>
#include <string>
#include <vector>

#include "store/events.h"

namespace haul::api {

// Items that end together share one stored JOB_PROGRESS. A stream gets one after each item (Z-6);
// those that are not stored have no id and the event name job_progress.
std::vector<std::string> event_frames(std::span<const Event> events);

}  // namespace haul::api

#pragma once
// A get in this process: its own store per destination folder, one worker, the http engine.

#include "base/clock.h"
#include "cli/get.h"

namespace haul {

// Refused: another process is at work in the same folder, or the request cannot be meant. Takes
// over Ctrl-C and termination of the process from here on.
Result<std::unique_ptr<GetSession>> open_get(const GetAsk& ask, const Clock& clock);

}  // namespace haul

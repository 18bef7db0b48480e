#pragma once
// `haul get` in this process: its own store per destination folder, one worker, the batch engines.

#include "base/clock.h"
#include "cli/commands/get.h"

namespace haul {

// Refuses if another process works in the same folder, or if the request is invalid. From here on
// it handles the process's Ctrl-C and termination signals.
Result<std::unique_ptr<GetSession>> open_get(const GetAsk& ask, const Clock& clock);

}  // namespace haul

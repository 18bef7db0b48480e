#pragma once
// `haul get` in this process: its own store per destination folder, one worker, the batch engines.

#include "app/config/config.h"
#include "base/clock.h"
#include "cli/commands/get.h"

namespace haul::app {

// Refuses if another process works in the same folder, or if the request or a variable of an engine
// is invalid. From here on it handles the process's Ctrl-C and termination signals.
Result<std::unique_ptr<cli::GetSession>> open_get(const cli::GetCommand& command,
                                                  const Config::Environment& environment,
                                                  const Clock& clock);

}  // namespace haul::app

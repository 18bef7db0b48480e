#pragma once
// The daemon: store, worker, API and page in one process.

#include "app/config.h"
#include "base/clock.h"
#include "cli/commands/commands.h"

namespace haul {

// Runs until a signal stops it; returns the exit code.
int serve(const ServeOptions& options, const Config& config, const Clock& clock, Terminal terminal);

}  // namespace haul

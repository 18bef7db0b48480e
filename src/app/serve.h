#pragma once
// `haul serve`: makes the daemon and runs it until a signal stops it.

#include "app/config/config.h"
#include "base/clock.h"
#include "cli/commands/commands.h"

namespace haul::app {

// Runs until a signal stops it; returns the exit code.
int serve(const cli::ServeOptions& options, const Config& config, const Clock& clock,
          cli::Terminal terminal);

}  // namespace haul::app

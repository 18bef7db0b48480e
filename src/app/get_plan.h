#pragma once
// `haul get --dry-run`: what would be downloaded, and where to.

#include "base/clock.h"
#include "cli/commands/get.h"

namespace haul::app {

// Asks for the head of each file in turn, with the command's delay between requests to one host.
// Stores nothing and makes no folder. Refuses requests whose files only a download finds.
Result<void> plan_get(const cli::GetCommand& command, const Clock& clock,
                      const std::function<void(const cli::GetPlanned&)>& tell);

}  // namespace haul::app

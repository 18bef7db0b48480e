#pragma once
// `haul get --clean`: gives up the unfinished downloads of a folder and removes their parts.

#include "base/clock.h"
#include "cli/commands/get.h"

namespace haul::app {

// Refuses if another process works in the same folder. Leaves the parts of other stores.
Result<cli::CleanedFolder> clean_get(const cli::CleanCommand& command, const Clock& clock);

}  // namespace haul::app

#pragma once
// `haul import-db` on a data folder (Z-17).

#include "base/clock.h"
#include "cli/commands/commands.h"

namespace haul::app {

// Throws StoreFault if the old database or the store cannot be used. A dry run needs no store, and
// changes nothing.
cli::Maintenance::TakenOver import_db(const cli::Maintenance::TakeOver& asked, const Clock& clock);

}  // namespace haul::app

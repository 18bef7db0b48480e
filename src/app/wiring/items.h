#pragma once
// The engine that fetches the items of batches: http, yt-dlp and gallery-dl, with the event loops
// they use. All follow one policy for addresses; the programs follow it through their proxy.

#include <memory>

#include "app/config/transfer.h"
#include "base/clock.h"
#include "io/file/room.h"
#include "seam/engine.h"
#include "seam/gate.h"

namespace haul::app {

// The space outlives the engine: all that write files share it.
std::unique_ptr<ItemEngine> make_item_engine(Gate& gate, const Clock& clock, io::DiskSpace& space,
                                             const TransferSettings& settings);

}  // namespace haul::app

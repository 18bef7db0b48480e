#pragma once
// The engine that fetches the items of batches: http, yt-dlp and gallery-dl, with the event loops
// they use. All follow one policy for addresses; the programs follow it through their proxy.

#include <memory>

#include "app/config/transfer.h"
#include "base/clock.h"
#include "seam/engine.h"
#include "seam/gate.h"

namespace haul::app {

std::unique_ptr<ItemEngine> make_item_engine(Gate& gate, const Clock& clock,
                                             const TransferSettings& settings);

}  // namespace haul::app

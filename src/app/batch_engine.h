#pragma once
// The engine of batches as this machine has it: http, yt-dlp and gallery-dl, with the loops they
// live on.

#include <memory>

#include "base/clock.h"
#include "engine/engine.h"
#include "io/gate.h"

namespace haul {

// `apart` is the rule for hosts: inside a tunnel a program keeps it itself. Reads the environment,
// so it is called before any thread of the caller's does.
std::unique_ptr<Engine> make_batch_engine(Gate& gate, const Clock& clock, Millis apart);

}  // namespace haul

#pragma once
// The engine of batches on this machine: http, yt-dlp and gallery-dl, with the event loops they
// use. All follow one policy for addresses; the programs follow it through their proxy.

#include <memory>
#include <string>

#include "base/clock.h"
#include "engine/http/lander.h"
#include "io/file/destination.h"
#include "io/file/room.h"
#include "io/process/sandbox.h"
#include "io/web/address.h"
#include "seam/engine.h"
#include "seam/gate.h"

namespace haul {

struct BatchSettings {
  Reach reach{.private_too = true, .allowed = {}};
  Destinations destinations;
  Durability durability = Durability::batch;
  Millis apart{1'000};  // Between requests to a host. In a tunnel the program keeps it itself.
  std::int64_t speed_limit = 0;  // Bytes per second of all transfers together. Zero: no limit.
  std::int64_t max_size = std::int64_t{64} << 30U;  // Of a body of unknown size.
  KeepFree keep_free;
  Confine confine = Confine::prefer;
  std::string yt_dlp;      // Path; empty: found on the search path.
  std::string gallery_dl;  // Likewise.
};

// Reads PATH and SSL_CERT_FILE from the environment, so no thread may change the environment
// meanwhile.
std::unique_ptr<Engine> make_batch_engine(Gate& gate, const Clock& clock,
                                          const BatchSettings& settings);

}  // namespace haul

#pragma once
// The engine of batches as this machine has it: http, yt-dlp and gallery-dl, with the loops they
// live on. All of them keep one policy of addresses, programs through their proxy.

#include <memory>
#include <string>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/http/lander.h"
#include "io/address.h"
#include "io/destination.h"
#include "io/gate.h"
#include "io/room.h"
#include "io/sandbox.h"

namespace haul {

struct BatchSettings {
  Reach reach{.private_too = true, .allowed = {}};
  Destinations destinations;
  Durability durability = Durability::batch;
  Millis apart{1'000};           // The rule for hosts: inside a tunnel a program keeps it itself.
  std::int64_t speed_limit = 0;  // Bytes a second, all together; zero: no limit.
  std::int64_t max_size = std::int64_t{64} << 30U;  // Of a body whose size is not known.
  KeepFree keep_free;
  Confine confine = Confine::prefer;
  std::string yt_dlp;      // Where it is; empty: on the search path.
  std::string gallery_dl;  // The same.
};

// Reads the search path and whom to trust from the environment, so it is called before any thread
// of the caller's does.
std::unique_ptr<Engine> make_batch_engine(Gate& gate, const Clock& clock,
                                          const BatchSettings& settings);

}  // namespace haul

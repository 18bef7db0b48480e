#pragma once
// An example of an engine: it copies files that are on this machine. docs/adding-an-engine.md
// explains it.

#include <memory>

#include "io/file/destination.h"
#include "io/file/lander.h"
#include "io/process/poll.h"
#include "seam/engine.h"

namespace haul::example {

struct CopySettings {
  io::Destinations destinations;              // Where jobs may put files.
  std::size_t chunk = std::size_t{1} << 20U;  // Bytes that it copies at once.
  Millis pause{1};                            // After a chunk, for other work of the loop.
};

// Fetches addresses such as "copy://localhost/srv/a.bin". The loop and the lander must outlive the
// engine.
std::unique_ptr<ItemEngine> make_copy_engine(io::PollLoop& loop, io::Lander& lander,
                                             CopySettings settings);

}  // namespace haul::example

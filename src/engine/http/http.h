#pragma once
// The engine that fetches over HTTP: many files at once, resumable, each landed whole.

#include <memory>

#include "io/file/destination.h"
#include "io/file/room.h"
#include "io/web/http.h"
#include "seam/engine.h"
#include "seam/gate.h"

namespace haul {

enum class Durability : std::uint8_t {
  each,   // Flush the file, rename it, flush its folder, one file after the other.
  batch,  // The same for all files that wait, with one flush of the folder.
  off,    // Only rename. After a power cut a file may be empty.
};

struct HttpSettings {
  Reach reach{.private_too = true, .allowed = {}};
  std::string ca_file;
  std::string user_agent = "haul";
  Millis stall_timeout{30'000};
  Destinations destinations;
  std::int64_t max_size = std::int64_t{64} << 30U;  // The most of a body whose size is not known.
  DiskSpace* space = nullptr;    // Shared with other engines; null: no disk is watched.
  Throttle* throttle = nullptr;  // Speed limits; null: none. It outlives the engine and the loop.
};

// The gate decides when a request may be sent. The loop must outlive the engine.
std::unique_ptr<Engine> make_http_engine(HttpLoop& loop, Gate& gate, const Clock& clock,
                                         HttpSettings settings, Durability durability);

}  // namespace haul

#pragma once
// The engine that fetches over HTTP: many files at once, resumable, each landed whole.

#include <memory>

#include "base/url_feed.h"
#include "io/file/destination.h"
#include "io/file/lander.h"
#include "io/file/room.h"
#include "io/web/http.h"
#include "seam/engine.h"
#include "seam/gate.h"

namespace haul::http {

struct HttpSettings {
  io::Reach reach{.private_too = true, .allowed = {}};
  std::string ca_file;
  std::string user_agent = "haul";
  Millis stall_timeout{30'000};
  io::Destinations destinations;
  std::int64_t max_size = std::int64_t{64} << 30U;  // The most of a body whose size is not known.
  // Whether `overwrite` replaces any file. If not, only one that the owner's jobs have downloaded.
  bool replaces_any = false;
  // A Metalink fails with kIsMetalink instead of being downloaded: the caller reads it itself.
  bool spots_metalinks = false;
  std::shared_ptr<const UrlFeed> feed{};  // URLs after those of the request. Null: none.
  io::DiskSpace* space = nullptr;         // Shared with other engines; null: no disk is watched.
  io::Throttle* throttle =
      nullptr;  // Speed limits; null: none. It outlives the engine and the loop.
};

// The gate decides when a request may be sent. The loop must outlive the engine.
std::unique_ptr<ItemEngine> make_http_engine(io::HttpLoop& loop, Gate& gate, const Clock& clock,
                                             HttpSettings settings, io::Durability durability);

}  // namespace haul::http

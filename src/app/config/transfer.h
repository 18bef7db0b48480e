#pragma once
// [transfer]: where downloads go, how fast, within which limits, and which networks they reach.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "app/config/key.h"
#include "app/config/programs.h"
#include "base/speed_schedule.h"
#include "base/url_feed.h"
#include "io/file/destination.h"
#include "io/file/lander.h"
#include "io/file/room.h"
#include "io/web/address.h"
#include "io/web/traced_loop.h"
#include "store/limits.h"

namespace haul::app {

ConfigArea transfer_area();

// What the engines that fetch items need to know. The daemon reads it from the configuration, and
// `haul get` from its flags.
struct TransferSettings {
  io::Reach reach{.private_too = true, .allowed = {}};
  io::Destinations destinations;
  io::Durability durability = io::Durability::batch;
  Millis apart{1'000};  // Between requests to a host. In a tunnel the program keeps it itself.
  SpeedPlan speed{};    // Of all transfers together.
  std::int64_t max_size = std::int64_t{64} << 30U;  // Of a body of unknown size.
  io::KeepFree keep_free;
  bool spots_metalinks = false;  // The caller reads Metalinks itself.
  bool replaces_any = false;     // `overwrite` replaces files that are not haul's, too.
  std::string ca_file;           // CA certificates to trust. If empty, the system's.
  ProgramSettings programs;
  std::shared_ptr<const UrlFeed> feed{};  // URLs that come after the request of `haul get`.
  io::Trace trace{};  // Gets a line per request and answer of the http engine. Null: none.
};

// Which networks the daemon's downloads may reach, whatever the engine.
Result<io::Reach> transfer_reach(const Config& config);

// Promise 20: jobs of the daemon reach private addresses only if the configuration allows them.
// They may write to the download folder, and never to the data folder. Reads the environment, so
// call it before other threads start.
Result<TransferSettings> transfer_settings(const Config& config, const std::filesystem::path& data);

// How haul treats one host.
HostRule host_rule(const Config& config);

}  // namespace haul::app

#pragma once
// What everything that talks to Plex shares. Lives on the loop's thread.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "io/web/http.h"
#include "sink/plex/requests.h"
#include "sink/plex/settings.h"
#include "sink/server/calls.h"
#include "sink/server/places.h"

namespace haul::plex {

// When Plex was last asked to scan a folder.
struct FolderScan {
  Steady sent;
  bool is_open = true;  // Plex has not answered yet.
};

struct PlexEnv {
  using ThenLibraries = std::function<void(Result<std::vector<ServerLibrary>>)>;

  PlexEnv(io::HttpLoop& on, const Clock& by, const PlexSettings& given);
  PlexEnv(const PlexEnv&) = delete;
  PlexEnv& operator=(const PlexEnv&) = delete;

  void ask_libraries(ThenLibraries then);

  io::HttpLoop& loop;
  const Clock& clock;
  const PlexSettings& settings;
  media_server::ServerCalls calls;
  media_server::ServerPlaces places;
  PlexSlices slices;
  std::map<std::string, FolderScan> scans;  // By library and folder.
  // Expires with the server. Posted callbacks check it before they run.
  const std::shared_ptr<const bool> alive = std::make_shared<const bool>(true);
};

}  // namespace haul::plex

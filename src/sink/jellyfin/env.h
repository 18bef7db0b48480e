#pragma once
// What everything that talks to the server shares. Lives on the loop's thread.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "io/web/http.h"
#include "sink/jellyfin/replies.h"
#include "sink/jellyfin/requests.h"
#include "sink/server/calls.h"
#include "sink/server/places.h"

namespace haul::jellyfin {

class JellyfinEnv {
 public:
  using ThenInfo = std::function<void(Result<PublicInfo>)>;
  using ThenLibraries = std::function<void(Result<std::vector<media_server::ServerLibrary>>)>;

  JellyfinEnv(io::HttpLoop& loop, const Clock& clock, const JellyfinSettings& given);
  JellyfinEnv(const JellyfinEnv&) = delete;
  JellyfinEnv& operator=(const JellyfinEnv&) = delete;

  // Which server it is. Asks it once.
  void with_info(ThenInfo then);
  void ask_libraries(ThenLibraries then);
  // Asks again the next time: after a fault it may be another server.
  void forget();

  const JellyfinSettings& settings;
  media_server::ServerCalls calls;
  media_server::ServerPlaces places;

 private:
  std::optional<PublicInfo> info_;
};

}  // namespace haul::jellyfin

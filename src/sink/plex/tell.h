#pragma once
// Asks Plex to scan folders, one after the other. Lives on the loop's thread.

#include <memory>
#include <string>
#include <vector>

#include "sink/plex/env.h"
#include "sink/server/question.h"

namespace haul::plex {

// The shortest time between two scans of one folder. A file that comes in between is not lost: the
// second scan waits.
inline constexpr Millis kBetweenScans{30'000};

class PlexTell final : public std::enable_shared_from_this<PlexTell> {
 public:
  PlexTell(PlexEnv& env, std::vector<std::string> folders, media_server::Wanted wanted,
           MediaServer::Told answer);
  void begin();

 private:
  void next();
  void send(const media_server::ServerPlace& place, const std::string& key);
  void later(Millis wait);

  PlexEnv& env_;
  const std::vector<std::string> folders_;
  const media_server::Wanted wanted_;
  const MediaServer::Told answer_;
  const Steady since_;
  std::vector<media_server::ServerPlace> places_;
  std::size_t at_ = 0;
};

}  // namespace haul::plex

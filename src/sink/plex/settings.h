#pragma once
// How haul reaches Plex, how Plex's paths map to haul's, and what counts as proof.

#include <cstdint>
#include <functional>
#include <string>

#include "base/fault.h"
#include "base/path_map.h"

namespace haul::plex {

// What proves that Plex has indexed a file.
enum class PlexMatch : std::uint8_t {
  path,   // Plex lists a part with the file's path and size.
  title,  // Plex lists the title. An older copy has the same title, so this proves little.
};

struct PlexSettings {
  std::string url;    // "http://127.0.0.1:32400"
  std::string token;  // Goes into a header, never into an address or a log.
  PathMap paths;      // Plex's folders and haul's. If empty, haul asks Plex for nothing.
  PlexMatch match = PlexMatch::path;
  std::string client_id = "haul";  // How Plex tells its clients apart.
  std::string ca_file;
  std::string user_agent = "haul";
  // Called when Plex's fault changes, with null when it is over. Runs on the loop's thread.
  std::function<void(const Fault*)> on_trouble;
};

}  // namespace haul::plex

#pragma once
// How haul reaches Jellyfin or Emby, and how its paths map to haul's.

#include <functional>
#include <string>

#include "base/fault.h"
#include "base/path_map.h"

namespace haul::jellyfin {

struct JellyfinSettings {
  std::string url;      // "http://127.0.0.1:8096"
  std::string api_key;  // Goes into a header, never into an address or a log.
  PathMap paths;        // The server's folders and haul's. If empty, haul asks it for nothing.
  std::string ca_file;
  std::string user_agent = "haul";
  // Called when the server's fault changes, with null when it is over. Runs on the loop's thread.
  std::function<void(const Fault*)> on_trouble;
};

}  // namespace haul::jellyfin

#pragma once
// How the client is reached, and what haul knows of its surroundings.

#include <functional>
#include <string>

#include "base/fault.h"
#include "base/time.h"
#include "engine/qbittorrent/path_map.h"
#include "io/address.h"

namespace haul {

struct QbittorrentSettings {
  std::string url;  // "http://127.0.0.1:8080", without a slash at its end.
  std::string username;
  std::string password;
  std::string api_key;  // Instead of both (5.2 and later).
  std::string category = "haul";
  PathMap paths;
  Reach reach;  // Where torrents may be fetched from; the client itself may be anywhere.
  std::string ca_file;
  std::string user_agent = "haul";
  Millis settle{300'000};  // Z-1: for so long a client that was away may not know all it has.
  // Told when the client's trouble changes, with nothing when it is over. On the loop's thread.
  std::function<void(const Fault*)> on_trouble;
};

}  // namespace haul

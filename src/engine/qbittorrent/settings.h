#pragma once
// How haul reaches the client, and how its paths map to this machine.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "base/path_map.h"
#include "base/time.h"
#include "io/web/address.h"

namespace haul::qbittorrent {

struct QbittorrentSettings {
  std::string url;  // "http://127.0.0.1:8080", without a trailing slash.
  std::string username;
  std::string password;
  std::string api_key;  // Instead of username and password (5.2 and later).
  std::string category = "haul";
  PathMap paths = PathMap::identity();
  // The same for files that haul may remove later. It maps only what the configuration names: a
  // path of the client's is one of this machine's only if `path_map` says `identity`.
  PathMap source_paths;
  std::vector<std::filesystem::path> roots;  // Download roots, absolute, without a trailing slash.
  io::Reach reach;  // Where .torrent files may be fetched from. The client may be anywhere.
  std::string ca_file;
  std::string user_agent = "haul";
  Millis settle{300'000};  // Z-1: how long a client that was away may not list all its torrents.
  // Called when the client's fault changes, with null when it is over. Runs on the loop's thread.
  std::function<void(const Fault*)> on_trouble;
};

}  // namespace haul::qbittorrent

#pragma once
// Finds out where a media server has haul's paths: which path it sees, and in which library. Keeps
// the list of libraries for a while. Lives on the loop's thread.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fault.h"
#include "base/path_map.h"
#include "sink/server/library.h"

namespace haul::media_server {

struct ServerPlace {
  std::string path;  // As the server sees it.
  ServerLibrary library;
  bool is_folder_itself = false;  // The path is one of the library's folders.
};

struct LocatedPaths {
  std::vector<ServerPlace> places;  // In the order of the paths.
  int requests = 0;                 // How many it took.
};

class ServerPlaces {
 public:
  using Libraries = std::vector<ServerLibrary>;
  // Asks the server for its libraries.
  using ListLibraries = std::function<void(std::function<void(Result<Libraries>)>)>;
  using Then = std::function<void(Result<LocatedPaths>)>;

  struct Words {              // For messages.
    std::string name;         // "Plex"
    std::string map_setting;  // "sink.plex.path_map"
  };

  ServerPlaces(const Clock& clock, Words words, PathMap paths, ListLibraries list);

  // Faults: `path_not_mapped`, `path_not_in_library`, and those of listing.
  void locate(std::vector<std::string> paths, std::string kind, Then then);
  // The next locate() asks the server.
  void forget() { known_.reset(); }

 private:
  struct Known {
    Libraries libraries;
    Steady since;
  };
  Result<LocatedPaths> located(const std::vector<std::string>& paths, std::string_view kind) const;

  const Clock& clock_;
  const Words words_;
  const PathMap paths_;
  const ListLibraries list_;
  std::optional<Known> known_;
};

}  // namespace haul::media_server

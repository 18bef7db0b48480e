#pragma once
// `haul doctor paths`: proves with files of its own that haul, the torrent client and the media
// server mean the same folders, and names the setting that is wrong.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/path_map.h"
#include "cli/commands/doctor.h"
#include "sink/server/library.h"

namespace haul::app {

struct SettingLine {
  std::string key{};   // "sink.plex.path_map"
  std::string from{};  // "haul.toml:12". Empty if it is not set.
};

// A folder of the configuration.
struct PathsFolder {
  SettingLine line;
  std::string path;
  std::string kind{};  // Of a library: "movie" or "series".
};

// A program that sees haul's folders under paths of its own.
struct PathsProgram {
  std::string name;  // "Plex"
  SettingLine url{};
  SettingLine map{};
  PathMap paths{};
  // The names of the files in a folder, as the program sees it. A fault of the kind permanent means
  // that it cannot be asked, or with the code `no_such_folder` that it has no such folder.
  std::function<Result<std::vector<std::string>>(const std::string& folder)> list{};
};

struct PathsClient {
  PathsProgram program;
  // Where it puts finished downloads.
  std::function<Result<std::string>()> save_path;
};

struct PathsServer {
  PathsProgram program;
  std::function<Result<media_server::ServerProbe>()> ask;
};

// What is configured of it.
struct DoctorPaths {
  std::optional<PathsFolder> downloads{};
  std::vector<PathsFolder> libraries{};
  std::optional<PathsClient> client{};
  std::optional<PathsServer> server{};
};

// Writes a file into each folder, asks the programs for it, and removes it.
std::vector<cli::Finding> examine_paths(const DoctorPaths& paths);

}  // namespace haul::app

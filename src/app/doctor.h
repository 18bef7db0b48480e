#pragma once
// Checks everything that haul depends on, for `haul doctor`.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/path_map.h"
#include "cli/commands/doctor.h"
#include "io/process/sandbox.h"
#include "sink/server/library.h"

namespace haul::app {

// The libraries of films and series.
struct DoctorLibrary {
  struct Root {
    std::string key;  // "library.movies.root"
    std::string path;
    std::string kind;  // "movie" or "series".
  };
  std::vector<Root> roots{};             // Those that are configured.
  std::string download_root{};           // Empty if it is not configured.
  bool may_copy = true;                  // Files that cannot be linked are copied.
  std::filesystem::path root_records{};  // See sink/library/root_mark.h.
};

// The media server.
struct DoctorServer {
  std::string name{};  // "plex". Empty if none is configured.
  std::string url{};
  PathMap paths{};
  std::function<Result<media_server::ServerProbe>()> ask{};
};

struct DoctorConfig {
  std::string file;             // Empty if there is none.
  std::string url;              // Where its daemon listens. Empty if that is not known.
  std::string download_folder;  // Empty: the default in the data folder.
  io::Confine confine = io::Confine::prefer;
  std::string client;  // The torrent client's address; empty if none is configured.
  std::function<Result<std::string>()> ask_client;  // Logs in and returns the version.
  std::map<std::string, std::string> programs{};    // Configured paths, by the program's name.
  DoctorLibrary library{};
  DoctorServer server{};
};

struct DoctorParts {
  const Clock& clock;
  std::function<Result<DoctorConfig>(const cli::DoctorOptions&)> read_config;
  cli::OpenClient open_client;
  std::string version;
};

std::vector<cli::Finding> examine(const cli::DoctorOptions& options, const DoctorParts& parts);

// The checks, in the order of the report.
std::vector<cli::Finding> examine_folder(const cli::ApiAddress& address);
std::vector<cli::Finding> examine_store(const std::filesystem::path& data, Time now);
// Whether the files of books are where haul put them.
std::vector<cli::Finding> examine_books(const std::filesystem::path& data);
// Whether credits add up: available + reserved + spent = granted for each user, and no ended job
// keeps a reservation.
std::vector<cli::Finding> examine_ledger(const std::filesystem::path& data);
std::vector<cli::Finding> examine_key(const cli::ApiAddress& address);
std::vector<cli::Finding> examine_downloads(const std::filesystem::path& folder);
std::vector<cli::Finding> examine_client(const DoctorConfig& config);
// Whether haul can write to the libraries, and link files from the downloads.
std::vector<cli::Finding> examine_library(const DoctorLibrary& library);
// Whether the media server answers, accepts the token, and has the libraries where haul has them.
std::vector<cli::Finding> examine_server(const DoctorServer& server, const DoctorLibrary& library);
// A configured path that cannot run is wrong. A program that is neither configured nor found is a
// note.
std::vector<cli::Finding> examine_programs(const std::map<std::string, std::string>& configured);
// Whether the kernel can confine programs.
std::vector<cli::Finding> examine_sandbox(int landlock, io::Confine confine);
// What the daemon's answer to /health/ready, JSON, says about services that the doctor does not ask
// itself: the disk and the chat of relays, the provider of images, the bucket.
std::vector<cli::Finding> reported_troubles(const std::string& ready);
// The speed limit that holds now, from the daemon's answer to /api/v1/stats. Nothing if there is
// neither a limit nor a schedule.
std::vector<cli::Finding> reported_speed(const std::string& stats);
std::vector<cli::Finding> examine_daemon(const cli::ApiAddress& address, const DoctorParts& parts);

}  // namespace haul::app

#pragma once
// Checks everything that haul depends on, for `haul doctor`.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cli/commands/doctor.h"
#include "io/process/sandbox.h"

namespace haul {

struct DoctorConfig {
  std::string file;             // Empty if there is none.
  std::string download_folder;  // Empty: the default in the data folder.
  Confine confine = Confine::prefer;
  std::string client;  // The torrent client's address; empty if none is configured.
  std::function<Result<std::string>()> ask_client;  // Logs in and returns the version.
  std::map<std::string, std::string> programs{};    // Configured paths, by the program's name.
};

struct DoctorParts {
  const Clock& clock;
  std::function<Result<DoctorConfig>(const DoctorOptions&)> read_config;
  OpenClient open_client;
  std::string version;
};

std::vector<Finding> examine(const DoctorOptions& options, const DoctorParts& parts);

// The checks, in the order of the report.
std::vector<Finding> examine_folder(const ApiPlace& place);
std::vector<Finding> examine_store(const std::filesystem::path& data, Time now);
// Whether the files of books are where haul put them.
std::vector<Finding> examine_library(const std::filesystem::path& data);
std::vector<Finding> examine_key(const ApiPlace& place);
std::vector<Finding> examine_downloads(const std::filesystem::path& folder);
std::vector<Finding> examine_client(const DoctorConfig& config);
// A configured path that cannot run is wrong. A program that is neither configured nor found is a
// note.
std::vector<Finding> examine_programs(const std::map<std::string, std::string>& configured);
// Whether the kernel can confine programs.
std::vector<Finding> examine_sandbox(int landlock, Confine confine);
std::vector<Finding> examine_daemon(const ApiPlace& place, const DoctorParts& parts);

}  // namespace haul

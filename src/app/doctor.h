#pragma once
// Looks at everything haul stands on: for `haul doctor`.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cli/doctor.h"
#include "io/sandbox.h"

namespace haul {

struct DoctorConfig {
  std::string file;             // Empty: none is used.
  std::string download_folder;  // Empty: the usual one in the data folder.
  Confine confine = Confine::prefer;
  std::string client;  // The torrent client's address; empty: none is configured.
  std::function<Result<std::string>()> ask_client;  // Logs in and gives its version.
  std::map<std::string, std::string> programs{};    // Configured paths, by the program's name.
};

struct DoctorParts {
  const Clock& clock;
  std::function<Result<DoctorConfig>(const DoctorOptions&)> read_config;
  OpenClient open_client;
  std::string version;
};

std::vector<Finding> examine(const DoctorOptions& options, const DoctorParts& parts);

// Each part of it, in the order they are told.
std::vector<Finding> examine_folder(const ApiPlace& place);
std::vector<Finding> examine_store(const std::filesystem::path& data, Time now);
// Whether the files of books are where they were put.
std::vector<Finding> examine_library(const std::filesystem::path& data);
std::vector<Finding> examine_key(const ApiPlace& place);
std::vector<Finding> examine_downloads(const std::filesystem::path& folder);
std::vector<Finding> examine_client(const DoctorConfig& config);
// A configured path that cannot be run is wrong. A program that is neither configured nor found
// is a note.
std::vector<Finding> examine_programs(const std::map<std::string, std::string>& configured);
// Whether the kernel can keep programs in.
std::vector<Finding> examine_sandbox(int landlock, Confine confine);
std::vector<Finding> examine_daemon(const ApiPlace& place, const DoctorParts& parts);

}  // namespace haul

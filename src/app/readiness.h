#pragma once
// Z-30: which jobs this daemon can run, by its configuration and the programs of this machine.

#include <string>
#include <string_view>

#include "lifecycle/table.h"

namespace haul {

struct ProgramPaths {
  std::string yt_dlp;  // As configured. Empty: found on search_path.
  std::string gallery_dl;
  std::string search_path;
};

enum class Client : bool { absent, configured };

// The section or key that a job of this lifecycle with this engine needs and the configuration
// lacks. Empty if nothing is missing. It looks for programs on every call, because they may be
// installed while the daemon runs.
std::string missing_setting(const Lifecycle& lifecycle, std::string_view engine, Client client,
                            const ProgramPaths& programs);

}  // namespace haul

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

// What a job of this lifecycle with this engine lacks, and what to do about it. Empty: nothing. A
// program is looked for each time, because it may be installed while the daemon runs.
std::string missing_setting(const Lifecycle& lifecycle, std::string_view engine, Client client,
                            const ProgramPaths& programs);

}  // namespace haul

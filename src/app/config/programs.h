#pragma once
// [engine], [engine.yt_dlp] and [engine.gallery_dl]: the programs that fetch for haul, and how haul
// confines them.

#include <string>

#include "app/config/config.h"
#include "app/config/key.h"
#include "io/process/sandbox.h"

namespace haul::app {

ConfigArea programs_area();

struct ProgramSettings {
  io::Confine confine = io::Confine::prefer;
  std::string yt_dlp;       // Path; empty: found on the search path.
  std::string gallery_dl;   // Likewise.
  std::string search_path;  // In the format of PATH.
};

// Both read PATH from the environment, so call them before other threads start.
ProgramSettings program_settings(const Config& config);
// Of `haul get`, which reads no file: the variables of these keys set them, by the same rules.
Result<ProgramSettings> program_settings(const Config::Environment& environment);

// What a user configures if a program is missing.
inline constexpr const char* kConfigureYtDlp = "configure engine.yt_dlp.program, or install yt-dlp";
inline constexpr const char* kConfigureGalleryDl =
    "configure engine.gallery_dl.program, or install gallery-dl";

}  // namespace haul::app

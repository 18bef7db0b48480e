#include "app/config/programs.h"

#include "base/environment.h"

namespace haul::app {
namespace {

constexpr std::string_view kConfines[] = {"prefer", "require"};

constexpr ConfigKey kKeys[] = {
    {.name = "engine.sandbox",
     .kind = ConfigKind::text,
     .default_value = "prefer",
     .about = "prefer: run yt-dlp and gallery-dl even without Landlock; require: refuse. `haul "
              "get` reads only the environment variable",
     .words = kConfines},
    {.name = "engine.yt_dlp.program",
     .kind = ConfigKind::path,
     .default_value = "",
     .about = "Path of yt-dlp. Default: found in PATH. `haul get` reads only the environment "
              "variable"},
    {.name = "engine.gallery_dl.program",
     .kind = ConfigKind::path,
     .default_value = "",
     .about = "Path of gallery-dl. Default: found in PATH. `haul get` reads only the environment "
              "variable"},
};

io::Confine confine_named(std::string_view name) {
  return name == "require" ? io::Confine::require : io::Confine::prefer;
}

}  // namespace

ConfigArea programs_area() { return {.keys = kKeys}; }

ProgramSettings program_settings(const Config& config) {
  return {.confine = confine_named(config.text("engine.sandbox")),
          .yt_dlp = config.text("engine.yt_dlp.program"),
          .gallery_dl = config.text("engine.gallery_dl.program"),
          .search_path = environment("PATH")};
}

Result<ProgramSettings> program_settings(const Config::Environment& environment) {
  const auto config = Config::read({}, Config::variables_of(kKeys, environment));
  if (!config) return std::unexpected{config.error()};
  return program_settings(*config);
}

}  // namespace haul::app

#include "app/config/library.h"

#include <fmt/core.h>

#include "app/config/config.h"
#include "app/config/importer.h"
#include "app/config/value.h"
#include "base/ensure.h"

namespace haul::app {
namespace {

using library::TemplateUse;

constexpr auto kWeek = std::chrono::hours{7 * 24};
constexpr std::string_view kMoviesRoot = "library.movies.root";
constexpr std::string_view kMoviesNaming = "library.movies.naming";
constexpr std::string_view kSeriesRoot = "library.series.root";
constexpr std::string_view kSeriesNaming = "library.series.naming";

std::string wrong_with_naming(TemplateUse use, const std::string& text) {
  const auto pieces = library::read_template(use, text);
  if (pieces) return {};
  return fmt::format("at character {}: {}", pieces.error().position + 1, pieces.error().why);
}
std::string wrong_with_movie(const std::string& text) {
  return wrong_with_naming(TemplateUse::movie, text);
}
std::string wrong_with_series(const std::string& text) {
  return wrong_with_naming(TemplateUse::series, text);
}

constexpr ConfigKey kKeys[] = {
    {.name = "library.check_every",
     .kind = ConfigKind::duration,
     .default_value = "10m",
     .about = "Time between checks that the files of books exist",
     .range = between(Millis{1'000}, kWeek)},
    {.name = "library.missing_after",
     .kind = ConfigKind::duration,
     .default_value = "60s",
     .about = "How long a file is gone before its book goes back to the archive",
     .range = between(Millis{0}, kWeek)},
    {.name = kMoviesRoot,
     .kind = ConfigKind::path,
     .default_value = "",
     .about = "Folder for films. It must exist",
     .check = wrong_with_root},
    {.name = kMoviesNaming,
     .kind = ConfigKind::text,
     .default_value = library::kMovieTemplate,
     .about = "Names of films, with the tokens of Radarr",
     .check = wrong_with_movie},
    {.name = kSeriesRoot,
     .kind = ConfigKind::path,
     .default_value = "",
     .about = "Folder for series. It must exist",
     .check = wrong_with_root},
    {.name = kSeriesNaming,
     .kind = ConfigKind::text,
     .default_value = library::kSeriesTemplate,
     .about = "Names of episodes, with the tokens of Sonarr",
     .check = wrong_with_series},
};

library::NameTemplate template_in(const Config& config, std::string_view key, TemplateUse use) {
  auto pieces = library::read_template(use, config.text(key));
  ensure(pieces.has_value(), "the configuration has checked this value");
  return *std::move(pieces);
}

}  // namespace

ConfigArea library_area() { return {.keys = kKeys}; }

flow::BookCheckSettings book_check_settings(const Config& config) {
  return {.check_every = config.duration("library.check_every"),
          .missing_after = config.duration("library.missing_after")};
}

std::optional<library::LibrarySettings> library_settings(const Config& config) {
  library::LibrarySettings settings;
  settings.roots.movies = {.path = config.text(kMoviesRoot), .key = std::string{kMoviesRoot}};
  settings.roots.series = {.path = config.text(kSeriesRoot), .key = std::string{kSeriesRoot}};
  if (settings.roots.movies.path.empty() && settings.roots.series.path.empty()) return std::nullopt;
  settings.templates.movie = template_in(config, kMoviesNaming, TemplateUse::movie);
  settings.templates.series = template_in(config, kSeriesNaming, TemplateUse::series);
  settings.methods = import_methods(config);
  settings.clean_by = clean_by(config);
  return settings;
}

}  // namespace haul::app

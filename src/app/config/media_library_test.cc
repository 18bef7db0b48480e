#include "app/config/media_library.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "app/config/describe.h"
#include "app/config/importer.h"
#include "app/config/qbittorrent.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using app::Config;
using library::ImportBy;

const Config::Environment kBoth{{"HAUL__LIBRARY__MOVIES__ROOT", "/srv/films"},
                                {"HAUL__LIBRARY__SERIES__ROOT", "/srv/series"},
                                {"HAUL__IMPORTER__DOWNLOAD_ROOT", "/srv/torrents/"}};

Config config_of(Config::Environment environment) {
  auto config = Config::read({}, environment);
  REQUIRE_MESSAGE(config.has_value(), config.error().detail);
  return *std::move(config);
}

std::optional<app::MediaLibrarySettings> settings_of(const Config::Environment& environment) {
  return app::media_library_settings(config_of(environment), "/data");
}

Config::Environment with(Config::Environment environment, const Config::Environment& more) {
  environment.insert(more.begin(), more.end());
  return environment;
}

// What is refused of these roots, without where they are set; empty if nothing is.
struct Roots {
  std::string movies{};
  std::string series{};
  std::string downloads{};
};
std::string refused(const Roots& roots, const fs::path& data, const std::string& home = {}) {
  const auto fits =
      app::check_media_roots(config_of({{"HAUL__LIBRARY__MOVIES__ROOT", roots.movies},
                                        {"HAUL__LIBRARY__SERIES__ROOT", roots.series},
                                        {"HAUL__IMPORTER__DOWNLOAD_ROOT", roots.downloads}}),
                             data, home);
  if (fits) return {};
  CHECK(fits.error().code == "bad_config");
  return fits.error().detail;
}

}  // namespace

TEST_CASE("no library is configured unless one has a root") {
  CHECK_FALSE(settings_of({}));
  CHECK_FALSE(settings_of({{"HAUL__IMPORTER__DOWNLOAD_ROOT", "/srv/torrents"}}));

  const auto films = settings_of({{"HAUL__LIBRARY__MOVIES__ROOT", "/srv/films"}});
  REQUIRE(films.has_value());
  CHECK(films->library.roots.movies.path == "/srv/films");
  CHECK(films->library.roots.series.path.empty());
  CHECK(films->library.roots.series.key == "library.series.root");
  CHECK(films->lacks == "configure importer.download_root");
  CHECK(app::name_of(films->server).empty());
}

TEST_CASE("imports follow the configuration: roots, names, methods, the trash") {
  const auto plain = settings_of(kBoth);
  REQUIRE(plain.has_value());
  CHECK(plain->lacks.empty());
  CHECK((plain->library.methods ==
         std::vector{ImportBy::reflink, ImportBy::hardlink, ImportBy::copy}));
  CHECK(plain->library.clean_by == library::CleanBy::deleting);
  CHECK(plain->trash_keeps_for == Millis{0});
  CHECK(plain->library.root_records == "/data/roots");
  CHECK((plain->library.download_roots == std::vector<std::filesystem::path>{"/srv/torrents"}));
  CHECK(plain->library.templates.movie == library::default_templates().movie);
  CHECK(plain->library.templates.series == library::default_templates().series);

  const auto chosen =
      settings_of(with(kBoth, {{"HAUL__IMPORTER__LINK", "hardlink, copy"},
                               {"HAUL__IMPORTER__TRASH_DAYS", "7"},
                               {"HAUL__LIBRARY__MOVIES__NAMING", "{Original Title}"}}));
  REQUIRE(chosen.has_value());
  CHECK((chosen->library.methods == std::vector{ImportBy::hardlink, ImportBy::copy}));
  CHECK(chosen->library.clean_by == library::CleanBy::trashing);
  CHECK(chosen->trash_keeps_for == std::chrono::hours{7 * 24});
  CHECK(chosen->library.templates.movie ==
        library::read_template(library::TemplateUse::movie, "{Original Title}").value());
}

TEST_CASE("the media server is Plex or Jellyfin, with its token and its paths") {
  const auto plex =
      app::media_server_settings(config_of({{"HAUL__SINK__PLEX__URL", "http://plex:32400/"},
                                            {"HAUL__SINK__PLEX__TOKEN", "canary"},
                                            {"HAUL__SINK__PLEX__PATH_MAP", "/data=/srv/films"},
                                            {"HAUL__SINK__PLEX__MATCH", "title"}}));
  REQUIRE(app::name_of(plex) == "plex");
  const auto& to_plex = std::get<plex::PlexSettings>(plex);
  CHECK(to_plex.url == "http://plex:32400");
  CHECK(to_plex.token == "canary");
  CHECK(to_plex.match == plex::PlexMatch::title);
  CHECK(to_plex.paths.there("/srv/films/a") == "/data/a");

  const auto jellyfin =
      app::media_server_settings(config_of({{"HAUL__SINK__JELLYFIN__URL", "https://host/jellyfin"},
                                            {"HAUL__SINK__JELLYFIN__TOKEN", "canary"}}));
  REQUIRE(app::name_of(jellyfin) == "jellyfin");
  const auto& to_jellyfin = std::get<jellyfin::JellyfinSettings>(jellyfin);
  CHECK(to_jellyfin.url == "https://host/jellyfin");
  CHECK(to_jellyfin.api_key == "canary");
  CHECK_FALSE(to_jellyfin.paths.there("/srv/films/a"));  // An empty map maps nothing.
}

TEST_CASE("two media servers are refused with both keys") {
  const auto config = Config::read({}, {{"HAUL__SINK__PLEX__URL", "http://plex:32400"},
                                        {"HAUL__SINK__PLEX__TOKEN", "a"},
                                        {"HAUL__SINK__JELLYFIN__URL", "http://jelly:8096"},
                                        {"HAUL__SINK__JELLYFIN__TOKEN", "b"}});
  REQUIRE_FALSE(config);
  CHECK(config.error().detail ==
        "HAUL__SINK__JELLYFIN__URL: sink.jellyfin.url: sink.plex.url is set, too, but haul uses "
        "one media server: remove one of them");
}

TEST_CASE("F52: the tokens of media servers are secrets") {
  const std::string text = app::shown(config_of(
      {{"HAUL__SINK__PLEX__TOKEN", "canary"}, {"HAUL__SINK__JELLYFIN__TOKEN", "canary"}}));
  CHECK(text.find("canary") == std::string::npos);
}

TEST_CASE("Z-4: sources are found by named paths alone, below the download root") {
  const auto client = [](const Config::Environment& more) {
    return app::client_settings(
               config_of(with({{"HAUL__ENGINE__QBITTORRENT__URL", "http://127.0.0.1:8080"}}, more)))
        .value()
        .value();
  };

  const auto plain = client({});
  CHECK(plain.paths.here("/downloads/a") == "/downloads/a");
  CHECK_FALSE(plain.source_paths.here("/downloads/a"));
  CHECK(plain.roots.empty());

  const auto mapped =
      client(with(kBoth, {{"HAUL__ENGINE__QBITTORRENT__PATH_MAP", "/downloads=/srv/torrents"}}));
  CHECK(mapped.paths.here("/downloads/a") == "/srv/torrents/a");
  CHECK(mapped.source_paths.here("/downloads/a") == "/srv/torrents/a");
  CHECK((mapped.roots == std::vector<fs::path>{"/srv/torrents"}));

  const auto same = client({{"HAUL__ENGINE__QBITTORRENT__PATH_MAP", "identity"}});
  CHECK(same.source_paths.here("/downloads/a") == "/downloads/a");
}

TEST_CASE("F28: roots that matter for something else are refused with their key and the fix") {
  const TempFolder home;
  const fs::path data = home / "data";
  const std::string films = (home / "films").string();
  const std::string series = (home / "series").string();
  const std::string downloads = (home / "torrents").string();
  for (const fs::path& folder : {data, fs::path{films}, fs::path{series}, fs::path{downloads}})
    fs::create_directories(folder);

  CHECK(refused({}, data).empty());
  CHECK(refused({films, series, downloads}, data, home.path().string()).empty());
  CHECK(refused({.movies = (home / "not/yet").string()}, data).empty());

  CHECK(refused({.movies = "/"}, data) ==
        "HAUL__LIBRARY__MOVIES__ROOT: library.movies.root: \"/\" is the root of the file system: "
        "choose a folder for this alone");
  CHECK(refused({.downloads = "/usr/share"}, data) ==
        "HAUL__IMPORTER__DOWNLOAD_ROOT: importer.download_root: \"/usr/share\" is a folder of the "
        "system: choose a folder for this alone");
  CHECK(refused({.series = series}, data, series) ==
        fmt::format("HAUL__LIBRARY__SERIES__ROOT: library.series.root: \"{}\" is the home folder: "
                    "choose a folder in it",
                    series));
  CHECK(refused({.movies = data.string()}, data) ==
        fmt::format("HAUL__LIBRARY__MOVIES__ROOT: library.movies.root: \"{}\" is haul's data "
                    "folder: choose another folder",
                    data.string()));
  CHECK(refused({films, films}, data) ==
        fmt::format("HAUL__LIBRARY__SERIES__ROOT: library.series.root: \"{0}\" is the same folder "
                    "as \"{0}\" of library.movies.root: choose two folders",
                    films));
  CHECK(refused({.movies = films, .downloads = films + "/in"}, data) ==
        fmt::format("HAUL__IMPORTER__DOWNLOAD_ROOT: importer.download_root: \"{0}/in\" lies in "
                    "\"{0}\" of library.movies.root: choose two folders side by side",
                    films));
}

TEST_CASE("C7: a link to a root is that root") {
  const TempFolder home;
  fs::create_directories(home / "films");
  fs::create_directory_symlink(home / "films", home / "link");

  const std::string why = refused(
      {.movies = (home / "films").string(), .downloads = (home / "link").string()}, home / "data");

  CHECK(why.find("is the same folder as") != std::string::npos);
}

TEST_CASE("C12: a root is the same with a trailing slash") {
  CHECK((app::download_roots(config_of(kBoth)) == std::vector<fs::path>{"/srv/torrents"}));
  CHECK(app::download_roots(config_of({})).empty());
}

}  // namespace haul::testing

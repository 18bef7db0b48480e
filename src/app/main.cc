// Entry point: reads the environment and gives the command line the concrete classes.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "app/api_client.h"
#include "app/browser_cookies.h"
#include "app/config/config.h"
#include "app/config/describe.h"
#include "app/config/download_folder.h"
#include "app/config/media_library.h"
#include "app/config/programs.h"
#include "app/config/qbittorrent.h"
#include "app/config/server.h"
#include "app/doctor.h"
#include "app/doctor_paths_setup.h"
#include "app/get.h"
#include "app/get_clean.h"
#include "app/get_metalink.h"
#include "app/get_plan.h"
#include "app/import_db.h"
#include "app/serve.h"
#include "app/verify.h"
#include "base/clock.h"
#include "base/environment.h"
#include "cli/run.h"
#include "engine/qbittorrent/qbittorrent.h"
#include "io/process/keeper.h"
#include "sink/jellyfin/jellyfin.h"
#include "sink/plex/plex.h"
#include "store/open.h"
#include "store/store.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): unistd.h has it for GNU only.

namespace haul::app {
namespace {

Config::Environment environment() {
  Config::Environment all;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view pair{*each};
    const std::size_t equals = std::min(pair.find('='), pair.size());
    all.emplace(pair.substr(0, equals), pair.substr(std::min(equals + 1, pair.size())));
  }
  return all;
}

// $XDG_CONFIG_HOME/haul/haul.toml or /etc/haul/haul.toml. Empty if neither exists.
std::filesystem::path default_config(const Config::Environment& environment) {
  const auto value = [&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string{} : found->second;
  };
  std::filesystem::path home = value("XDG_CONFIG_HOME");
  if (home.empty() && !value("HOME").empty())
    home = std::filesystem::path{value("HOME")} / ".config";
  for (const std::filesystem::path& file :
       {home / "haul" / "haul.toml", std::filesystem::path{"/etc/haul/haul.toml"}})
    if (std::error_code error; std::filesystem::is_regular_file(file, error)) return file;
  return {};
}

Result<Config> read_config(const std::filesystem::path& given) {
  const Config::Environment surroundings = environment();
  return Config::read(given.empty() ? default_config(surroundings) : given, surroundings);
}

// The rules between a setting and others, or the data folder, as serve applies them.
Result<void> check_whole(const Config& config, const std::filesystem::path& data) {
  if (auto folder = check_download_folder(config, data); !folder) return folder;
  if (const auto client = client_settings(config); !client) return std::unexpected{client.error()};
  return check_media_roots(config, data, haul::environment("HOME"));
}

DoctorLibrary doctor_library(const Config& config,
                             const std::optional<MediaLibrarySettings>& media) {
  DoctorLibrary found{.download_root = config.text("importer.download_root")};
  if (!media) return found;
  const auto& [movies, series] = media->library.roots;
  for (const auto& [root, kind] : {std::pair{movies, "movie"}, std::pair{series, "series"}})
    if (!root.path.empty())
      found.roots.push_back({.key = root.key, .path = root.path.string(), .kind = kind});
  found.root_records = media->library.root_records;
  found.may_copy = std::ranges::find(media->library.methods, library::ImportBy::copy) !=
                   media->library.methods.end();
  return found;
}

DoctorServer doctor_server(const MediaServerSettings& settings) {
  DoctorServer found{.name = std::string{name_of(settings)}};
  if (const auto* plex = std::get_if<plex::PlexSettings>(&settings)) {
    found.url = plex->url;
    found.paths = plex->paths;
    found.ask = [asked = *plex] { return plex::probe_plex(system_clock(), asked); };
  } else if (const auto* jellyfin = std::get_if<jellyfin::JellyfinSettings>(&settings)) {
    found.url = jellyfin->url;
    found.paths = jellyfin->paths;
    found.ask = [asked = *jellyfin] { return jellyfin::probe_jellyfin(system_clock(), asked); };
  }
  return found;
}

// What of it the doctor wants to know.
Result<DoctorConfig> read_doctor_config(const cli::DoctorOptions& options) {
  const std::filesystem::path& given = options.config;
  const auto config = read_config(given);
  if (!config) return std::unexpected{config.error()};
  if (auto fits = check_whole(*config, options.address.data); !fits)
    return std::unexpected{fits.error()};
  const std::filesystem::path file = given.empty() ? default_config(environment()) : given;
  const auto client = client_settings(*config);
  if (!client) return std::unexpected{client.error()};
  const ProgramSettings programs = program_settings(*config);
  const auto server = server_config(*config);
  if (!server) return std::unexpected{server.error()};
  const Listen& at = server->listen;
  DoctorConfig found{.file = file.string(),
                     .url = at.port == 0 ? "" : shown_address(at, at.port),
                     .download_folder = config->text("transfer.folder"),
                     .confine = programs.confine};
  for (const auto& [name, path] :
       {std::pair{"yt-dlp", programs.yt_dlp}, std::pair{"gallery-dl", programs.gallery_dl}})
    if (!path.empty()) found.programs[name] = path;
  found.library = doctor_library(*config, media_library_settings(*config, options.address.data));
  found.server = doctor_server(media_server_settings(*config));
  const auto& settings = *client;
  if (!settings) return found;
  found.client = settings->url;
  found.ask_client = [asked = *settings]() -> Result<std::string> {
    const auto version = qbittorrent::probe_qbittorrent(system_clock(), asked);
    if (!version) return std::unexpected{version.error()};
    return version->text();
  };
  return found;
}

std::vector<cli::Finding> prove_paths(const cli::DoctorOptions& options, const Clock& clock) {
  const auto config = read_config(options.config);
  const auto fits =
      config ? check_whole(*config, options.address.data) : std::unexpected{config.error()};
  const auto paths = fits ? doctor_paths(*config, clock) : std::unexpected{fits.error()};
  if (paths) return examine_paths(*paths);
  return {{cli::Health::wrong, "config", paths.error().detail, "correct the configuration"}};
}

cli::RemoteMakers remote_makers(const Clock& clock) {
  return {.open_client = open_api_client,
          .examine =
              [&clock](const cli::DoctorOptions& options) {
                if (options.scope == cli::DoctorScope::paths) return prove_paths(options, clock);
                return examine(options, {.clock = clock,
                                         .read_config = read_doctor_config,
                                         .open_client = open_api_client,
                                         .version = HAUL_VERSION});
              },
          .verifier = make_verifier(),
          .clock = clock};
}

int run_serve(const cli::ServeOptions& options, const Clock& clock, cli::Terminal terminal) {
  auto config = read_config(options.config);
  if (config && !options.listen.empty())
    if (auto set = config->set("server.listen", options.listen, "--listen"); !set)
      config = std::unexpected{set.error()};
  if (config)
    if (auto fits = check_whole(*config, options.data); !fits)
      config = std::unexpected{fits.error()};
  if (!config) {
    terminal.err << "haul: " << config.error().detail << "\n";
    return 2;
  }
  return serve(options, *config, clock, terminal);
}

int run_config(const cli::ConfigOptions& options, cli::Terminal terminal) {
  if (options.act == cli::ConfigAct::document) {
    terminal.out << config_doc();
    return 0;
  }
  const auto config = read_config(options.config);
  if (!config) {
    terminal.err << "haul: " << config.error().detail << "\n";
    return 1;
  }
  if (auto fits = check_whole(*config, options.data);
      !fits && options.act == cli::ConfigAct::check) {
    terminal.err << "haul: " << fits.error().detail << "\n";
    return 1;
  }
  terminal.out << (options.act == cli::ConfigAct::show ? shown(*config)
                                                       : "The configuration is valid\n");
  return 0;
}

cli::Maintenance::Restored restore(const std::filesystem::path& data,
                                   const std::filesystem::path& file, const Clock& clock) {
  const Restored restored = restore_store(store_url(data), file, clock.now());
  cli::Maintenance::Restored told{.old = restored.old};
  if (restored.carried) {
    told.keys = restored.carried->keys;
    told.users = restored.carried->users;
  }
  return told;
}

}  // namespace
}  // namespace haul::app

int main(int argc, char** argv) {
  // First of all: the keeper process must not set up anything else of haul.
  if (argc == 2 && argv[1] == haul::io::kKeeperWord) return haul::io::keep();
  const haul::Clock& clock = haul::system_clock();
  const haul::cli::Maintenance maintenance{
      .backup = [](const auto& data,
                   const auto& file) { haul::backup_store(haul::store_url(data), file); },
      .restore = [&clock](const auto& data,
                          const auto& file) { return haul::app::restore(data, file, clock); },
      .import_db = [&clock](const auto& asked) { return haul::app::import_db(asked, clock); }};
  const haul::cli::Makers makers{
      .maintenance = maintenance,
      .open_get =
          [&clock](const haul::cli::GetCommand& get) {
            return haul::app::open_get(get, haul::app::environment(), clock);
          },
      .clean_get =
          [&clock](const haul::cli::CleanCommand& command) {
            return haul::app::clean_get(command, clock);
          },
      .serve =
          [&clock](const haul::cli::ServeOptions& options, haul::cli::Terminal terminal) {
            return haul::app::run_serve(options, clock, terminal);
          },
      .config = haul::app::run_config,
      .remote = haul::app::remote_makers(clock),
      .standard_input = std::cin,
      .plan_get = [&clock](const haul::cli::GetCommand& get,
                           const auto& tell) { return haul::app::plan_get(get, clock, tell); },
      .cookies = [](const std::string& browser) -> haul::Result<haul::cli::CookieFile> {
        const auto programs = haul::app::program_settings(haul::app::environment());
        if (!programs) return std::unexpected{programs.error()};
        return haul::app::read_browser_cookies(browser, *programs);
      },
      .input = STDIN_FILENO,
      .read_metalink =
          [&clock](const std::string& where, const std::string& request) {
            return haul::app::read_metalink(where, request, clock);
          }};
  return haul::cli::run(argc, argv, makers, {.out = std::cout, .err = std::cerr});
}

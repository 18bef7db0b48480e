#include "app/doctor_paths_setup.h"

#include <utility>

#include "app/config/importer.h"
#include "app/config/media_library.h"
#include "app/config/qbittorrent.h"
#include "engine/qbittorrent/folders.h"
#include "sink/jellyfin/jellyfin.h"
#include "sink/plex/plex.h"

namespace haul::app {
namespace {

SettingLine line_of(const Config& config, std::string_view key) {
  const std::string& from = config.from(key);
  return {.key = std::string{key}, .from = from == kDefault ? std::string{} : from};
}

PathsClient client_of(const Config& config, const qbittorrent::QbittorrentSettings& settings,
                      const Clock& clock) {
  return {.program = {.name = "qBittorrent",
                      .url = line_of(config, "engine.qbittorrent.url"),
                      .map = line_of(config, "engine.qbittorrent.path_map"),
                      .paths = settings.source_paths,
                      .list =
                          [settings, &clock](const std::string& folder) {
                            return qbittorrent::list_client_folder(clock, settings, folder);
                          }},
          .save_path = [settings, &clock]() -> Result<std::string> {
            const auto folders = qbittorrent::probe_folders(clock, settings);
            if (!folders) return std::unexpected{folders.error()};
            return folders->save_path;
          }};
}

PathsProgram program_of(const Config& config, const ServerKeys& keys, std::string name) {
  return {.name = std::move(name),
          .url = line_of(config, keys.url),
          .map = line_of(config, keys.path_map),
          .paths = server_paths(config, keys)};
}

std::optional<PathsServer> server_of(const Config& config, const Clock& clock) {
  const MediaServerSettings settings = media_server_settings(config);
  if (const auto* plex = std::get_if<plex::PlexSettings>(&settings)) {
    PathsServer server{.program = program_of(config, kPlexKeys, "Plex"),
                       .ask = [asked = *plex, &clock] { return plex::probe_plex(clock, asked); }};
    server.program.list = [asked = *plex, &clock](const std::string& folder) {
      return plex::list_plex_folder(clock, asked, folder);
    };
    return server;
  }
  if (const auto* jellyfin = std::get_if<jellyfin::JellyfinSettings>(&settings)) {
    PathsServer server{
        .program = program_of(config, kJellyfinKeys, "Jellyfin"),
        .ask = [asked = *jellyfin, &clock] { return jellyfin::probe_jellyfin(clock, asked); }};
    server.program.list = [asked = *jellyfin, &clock](const std::string& folder) {
      return jellyfin::list_jellyfin_folder(clock, asked, folder);
    };
    return server;
  }
  return std::nullopt;
}

}  // namespace

Result<DoctorPaths> doctor_paths(const Config& config, const Clock& clock) {
  const auto client = client_settings(config);
  if (!client) return std::unexpected{client.error()};
  DoctorPaths paths;
  if (const auto roots = download_roots(config); !roots.empty())
    paths.downloads =
        PathsFolder{line_of(config, "importer.download_root"), roots.front().string()};
  for (const auto& [key, kind] :
       {std::pair{"library.movies.root", "movie"}, std::pair{"library.series.root", "series"}})
    if (const auto root = clean_path(config.text(key)))
      paths.libraries.push_back({line_of(config, key), root->string(), kind});
  if (const auto& settings = *client) paths.client = client_of(config, *settings, clock);
  paths.server = server_of(config, clock);
  return paths;
}

}  // namespace haul::app

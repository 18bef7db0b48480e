#include "app/config/plex.h"

#include "app/config/config.h"
#include "app/config/media_server.h"
#include "app/config/value.h"
#include "base/environment.h"

namespace haul::app {
namespace {

constexpr std::string_view kMatch = "sink.plex.match";
constexpr std::string_view kMatches[] = {"path", "title"};

std::string wrong_with_url(const std::string& text) {
  if (text.empty() || !server_address(text).empty()) return {};
  return "not an http or https address (expected e.g. http://127.0.0.1:32400)";
}

constexpr ConfigKey kKeys[] = {
    {.name = kPlexKeys.url,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "URL of Plex, such as http://127.0.0.1:32400",
     .check = wrong_with_url},
    {.name = kPlexKeys.token,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Plex's token (X-Plex-Token). Set it through a file or the environment",
     .is_secret = true},
    {.name = kPlexKeys.path_map,
     .kind = ConfigKind::list,
     .default_value = "",
     .about = "Plex's folders and where this machine has them: /data/movies=/srv/movies. "
              "`identity` if both see the same paths",
     .check = wrong_with_mapping},
    {.name = kMatch,
     .kind = ConfigKind::text,
     .default_value = "path",
     .about = "What proves that Plex has a film: path (a file with its path and size) or title, "
              "which an older copy also has",
     .words = kMatches},
};

Result<void> check(const Config& config) { return check_media_server(config, kPlexKeys); }

}  // namespace

ConfigArea plex_area() { return {.keys = kKeys, .check = check}; }

std::optional<plex::PlexSettings> plex_settings(const Config& config) {
  if (config.text(kPlexKeys.url).empty()) return std::nullopt;
  plex::PlexSettings settings;
  settings.url = server_address(config.text(kPlexKeys.url));
  settings.token = config.text(kPlexKeys.token);
  settings.paths = server_paths(config, kPlexKeys);
  settings.match = config.text(kMatch) == "title" ? plex::PlexMatch::title : plex::PlexMatch::path;
  settings.ca_file = environment("SSL_CERT_FILE");
  return settings;
}

}  // namespace haul::app

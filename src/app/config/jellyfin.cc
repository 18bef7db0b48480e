#include "app/config/jellyfin.h"

#include "app/config/config.h"
#include "app/config/media_server.h"
#include "app/config/value.h"
#include "base/environment.h"

namespace haul::app {
namespace {

std::string wrong_with_url(const std::string& text) {
  if (text.empty() || !server_address(text).empty()) return {};
  return "not an http or https address (expected e.g. http://127.0.0.1:8096)";
}

constexpr ConfigKey kKeys[] = {
    {.name = kJellyfinKeys.url,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "URL of Jellyfin or Emby, such as http://127.0.0.1:8096",
     .check = wrong_with_url},
    {.name = kJellyfinKeys.token,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "API key of Jellyfin or Emby. Set it through a file or the environment",
     .is_secret = true},
    {.name = kJellyfinKeys.path_map,
     .kind = ConfigKind::list,
     .default_value = "",
     .about = "The server's folders and where this machine has them: /data/movies=/srv/movies. "
              "`identity` if both see the same paths",
     .check = wrong_with_mapping},
};

Result<void> check(const Config& config) {
  if (auto fits = check_media_server(config, kJellyfinKeys); !fits) return fits;
  return check_one_server(config);
}

}  // namespace

ConfigArea jellyfin_area() { return {.keys = kKeys, .check = check}; }

std::optional<jellyfin::JellyfinSettings> jellyfin_settings(const Config& config) {
  if (config.text(kJellyfinKeys.url).empty()) return std::nullopt;
  jellyfin::JellyfinSettings settings;
  settings.url = server_address(config.text(kJellyfinKeys.url));
  settings.api_key = config.text(kJellyfinKeys.token);
  settings.paths = server_paths(config, kJellyfinKeys);
  settings.ca_file = environment("SSL_CERT_FILE");
  return settings;
}

}  // namespace haul::app

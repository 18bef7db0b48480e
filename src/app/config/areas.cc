#include "app/config/areas.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "app/config/bucket.h"
#include "app/config/image.h"
#include "app/config/importer.h"
#include "app/config/jellyfin.h"
#include "app/config/library.h"
#include "app/config/log.h"
#include "app/config/plex.h"
#include "app/config/programs.h"
#include "app/config/qbittorrent.h"
#include "app/config/relay.h"
#include "app/config/server.h"
#include "app/config/stuck.h"
#include "app/config/transfer.h"
#include "base/text.h"

namespace haul::app {

std::span<const ConfigArea> config_areas() {
  static const ConfigArea areas[] = {
      server_area(),  log_area(),      transfer_area(), qbittorrent_area(), programs_area(),
      library_area(), importer_area(), plex_area(),     jellyfin_area(),    relay_area(),
      image_area(),   bucket_area(),   stuck_area(),
  };
  return areas;
}

std::span<const ConfigKey> config_keys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> all;
    for (const ConfigArea& area : config_areas())
      all.insert(all.end(), area.keys.begin(), area.keys.end());
    return all;
  }();
  return keys;
}

const ConfigKey* find_key(std::string_view name) {
  const std::span<const ConfigKey> keys = config_keys();
  const auto found = std::ranges::find(keys, name, &ConfigKey::name);
  return found == keys.end() ? nullptr : &*found;
}

std::string unknown_key(std::string_view name) {
  std::vector<std::string_view> names;
  for (const ConfigKey& key : config_keys()) names.push_back(key.name);
  const std::string_view like = nearest(name, names);
  return fmt::format("unknown key '{}'{}", printable(name),
                     like.empty() ? "" : fmt::format(", did you mean '{}'?", like));
}

}  // namespace haul::app

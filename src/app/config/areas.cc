#include "app/config/areas.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "app/config/bucket.h"
#include "app/config/category.h"
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
namespace {

constexpr std::string_view kName = ".NAME.";

// "films" of category.films.folder. Empty if the row does not have this key, whatever its name.
std::string_view name_in(const ConfigKey& row, std::string_view key) {
  const std::size_t at = row.name.find(kName);
  if (at == std::string_view::npos) return {};
  const std::string_view first = row.name.substr(0, at + 1);
  const std::string_view last = row.name.substr(at + kName.size() - 1);
  if (key.size() <= first.size() + last.size()) return {};
  if (!key.starts_with(first) || !key.ends_with(last)) return {};
  return key.substr(first.size(), key.size() - first.size() - last.size());
}

}  // namespace

std::span<const ConfigArea> config_areas() {
  static const ConfigArea areas[] = {
      server_area(),  log_area(),      transfer_area(), qbittorrent_area(), programs_area(),
      library_area(), importer_area(), plex_area(),     jellyfin_area(),    relay_area(),
      image_area(),   bucket_area(),   stuck_area(),    category_area(),
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
  const auto found = std::ranges::find_if(keys, [&](const ConfigKey& key) {
    return has_name(key) ? wrong_with_category(name_in(key, name)).empty() : key.name == name;
  });
  return found == keys.end() ? nullptr : &*found;
}

bool has_name(const ConfigKey& key) { return key.name.contains(kName); }

bool is_named_section(std::string_view section) {
  return std::ranges::any_of(config_keys(), [&](const ConfigKey& key) {
    const std::size_t at = key.name.find(kName);
    const std::size_t dot = section.find('.');
    return at != std::string_view::npos && key.name.substr(0, at) == section.substr(0, dot) &&
           dot != std::string_view::npos && wrong_with_category(section.substr(dot + 1)).empty();
  });
}

std::string key_in(const ConfigKey& key, std::string_view name) {
  const std::size_t at = key.name.find(kName);
  return fmt::format("{}.{}.{}", key.name.substr(0, at), name, key.name.substr(at + kName.size()));
}

std::string unknown_key(std::string_view name) {
  for (const ConfigKey& key : config_keys())
    if (const std::string_view own = name_in(key, name); !own.empty() && !find_key(name))
      return fmt::format("'{}' in '{}': {}", printable(own), printable(name),
                         wrong_with_category(own));
  std::vector<std::string_view> names;
  for (const ConfigKey& key : config_keys()) names.push_back(key.name);
  const std::string_view like = nearest(name, names);
  return fmt::format("unknown key '{}'{}", printable(name),
                     like.empty() ? "" : fmt::format(", did you mean '{}'?", like));
}

}  // namespace haul::app

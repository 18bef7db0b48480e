#pragma once
// All areas of the configuration and their keys.

#include <span>
#include <string>
#include <string_view>

#include "app/config/key.h"

namespace haul::app {

// In the order of docs/config.md.
std::span<const ConfigArea> config_areas();
std::span<const ConfigKey> config_keys();

// Nullptr if there is no such key. "category.films.folder" has the row of category.NAME.folder.
const ConfigKey* find_key(std::string_view name);

// Whether users name the section of this row.
bool has_name(const ConfigKey& key);
// Whether users name sections like this one: "category.films".
bool is_named_section(std::string_view section);
// The row's key in a section that a user has named.
std::string key_in(const ConfigKey& key, std::string_view name);

// Says that there is no such key, and suggests the nearest one.
std::string unknown_key(std::string_view name);

}  // namespace haul::app

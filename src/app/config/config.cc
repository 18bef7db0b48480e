#include "app/config/config.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "app/config/areas.h"
#include "app/config/toml_file.h"
#include "app/config/value.h"
#include "base/ascii.h"
#include "base/ensure.h"
#include "base/redact.h"
#include "base/size.h"

namespace haul::app {
namespace {

constexpr std::string_view kPrefix = "HAUL__";
constexpr std::string_view kFileSuffix = "_FILE";

// F52: only its owner may read a file that contains a secret. Empty if nothing is wrong.
std::string wrong_with_mode(const std::filesystem::path& file) {
  struct stat about{};
  if (::stat(file.c_str(), &about) != 0 || (about.st_mode & 077U) == 0) return {};
  return fmt::format("others may read this secret (the file has mode {:o}); run: chmod 600 '{}'",
                     about.st_mode & 0777U, file.string());
}

// The variable that sets a key: a.b is HAUL__A__B.
std::string variable_of(std::string_view name) {
  std::string variable{kPrefix};
  for (const char c : name) {
    if (c == '.')
      variable += "__";
    else
      variable += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return variable;
}

// The key that a variable with this name would set.
std::string key_of(std::string_view variable) {
  std::string name;
  for (std::string_view rest = variable.substr(kPrefix.size()); !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find("__"));
    rest.remove_prefix(std::min(part.size() + 2, rest.size()));
    name += (name.empty() ? "" : ".") + lower(part);
  }
  return name;
}

}  // namespace

Result<Config> Config::read(const std::filesystem::path& file, const Environment& environment) {
  Config config;
  for (const ConfigKey& key : config_keys())
    if (!has_name(key))
      config.values_[std::string{key.name}] = {std::string{key.default_value},
                                               std::string{kDefault}};
  if (!file.empty())
    if (auto read = config.read_file(file); !read) return std::unexpected{read.error()};
  if (auto read = config.read_environment(environment); !read) return std::unexpected{read.error()};
  for (const ConfigArea& area : config_areas())
    if (auto fits = area.check ? area.check(config) : Result<void>{}; !fits)
      return std::unexpected{fits.error()};
  return config;
}

Config::Environment Config::variables_of(std::span<const ConfigKey> keys,
                                         const Environment& environment) {
  Environment chosen;
  for (const ConfigKey& key : keys)
    for (const std::string_view suffix : {std::string_view{}, kFileSuffix})
      if (const auto found = environment.find(variable_of(key.name).append(suffix));
          found != environment.end())
        chosen.insert(*found);
  return chosen;
}

Result<void> Config::read_file(const std::filesystem::path& file) {
  return read_toml(file, [&](const FileValue& given) -> Result<void> {
    const ConfigKey& key = *given.key;
    if (auto set_it = set(given.name, given.text, given.from); !set_it) return set_it;
    const bool is_secret = key.is_secret ? !given.text.empty() : redacted(given.text) != given.text;
    const std::string why = is_secret ? wrong_with_mode(file) : std::string{};
    if (why.empty()) return {};
    return bad_config(given.from, fmt::format("{}: {}", given.name, why));
  });
}

Result<void> Config::read_environment(const Environment& environment) {
  for (const auto& [variable, value] : environment) {
    if (!variable.starts_with(kPrefix)) continue;
    const bool is_file = variable.ends_with(kFileSuffix);
    const std::string bare =
        is_file ? variable.substr(0, variable.size() - kFileSuffix.size()) : variable;
    const auto keys = config_keys();
    const auto key = std::ranges::find_if(keys, [&](const ConfigKey& each) {
      return !has_name(each) && variable_of(each.name) == bare;
    });
    const std::string name = key == keys.end() ? key_of(bare) : std::string{key->name};
    if (!find_key(name)) return bad_config(variable, unknown_key(name));
    std::string text = value;
    if (is_file) {
      std::ifstream in{value};
      if (!std::getline(in, text)) return bad_config(variable, "its file cannot be read");
    }
    if (auto set_it = set(name, text, variable); !set_it) return set_it;
  }
  return {};
}

Result<void> Config::set(std::string_view name, std::string value, std::string from) {
  const ConfigKey* key = find_key(name);
  if (!key) return bad_config(from, unknown_key(name));
  if (const std::string why = wrong_with(*key, value); !why.empty())
    return bad_config(from, fmt::format("{}{}{}", name, why.starts_with('[') ? "" : ": ", why));
  if (has_name(*key)) add_section(name);
  values_[std::string{name}] = {std::move(value), std::move(from)};
  return {};
}

// Gives every key of a section that a user has named its default.
void Config::add_section(std::string_view key_in_it) {
  const std::size_t dot = key_in_it.find('.');
  const std::string_view name = key_in_it.substr(dot + 1, key_in_it.rfind('.') - dot - 1);
  for (const ConfigKey& key : config_keys())
    if (has_name(key) && key.name.starts_with(key_in_it.substr(0, dot + 1)))
      values_.try_emplace(key_in(key, name),
                          Value{std::string{key.default_value}, std::string{kDefault}});
}

std::vector<std::string> Config::names_in(std::string_view section) const {
  std::vector<std::string> names;
  const std::string start = fmt::format("{}.", section);
  for (const auto& [key, value] : values_) {
    if (!key.starts_with(start) || key.rfind('.') <= start.size()) continue;
    const std::string name = key.substr(start.size(), key.rfind('.') - start.size());
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

const Config::Value& Config::value(std::string_view name) const {
  const auto found = values_.find(name);
  ensure(found != values_.end(), "the configuration has this key");
  return found->second;
}

std::string Config::text(std::string_view name) const { return value(name).text; }

const std::string& Config::from(std::string_view name) const { return value(name).from; }

std::int64_t Config::number(std::string_view name) const {
  return whole_number(text(name)).value_or(0);
}

bool Config::is_on(std::string_view name) const { return text(name) == "true"; }

std::optional<std::int64_t> Config::size(std::string_view name) const {
  return read_size(text(name));
}

Millis Config::duration(std::string_view name) const {
  return read_duration(text(name)).value_or(Millis{0});
}

std::vector<std::string> Config::list(std::string_view name) const {
  return elements_of(text(name));
}

}  // namespace haul::app

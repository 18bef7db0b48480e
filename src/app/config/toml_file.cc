#include "app/config/toml_file.h"

#include <fmt/core.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/config/areas.h"
#include "app/config/value.h"

namespace haul::app {
namespace {

std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto on = node.value_exact<bool>()) return *on ? "true" : "false";
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  return node.value_exact<std::string>();
}

// "a, b" and ["a", "b"] are the same list. Nullopt unless the node is a string, a whole number,
// true or false, or a list of strings.
std::optional<std::string> as_text(const toml::node& node) {
  const auto* list = node.as_array();
  if (!list) return scalar_text(node);
  std::string text;
  for (const toml::node& each : *list) {
    const auto element = each.value_exact<std::string>();
    if (!element || element->empty() || element->find(',') != std::string::npos)
      return std::nullopt;
    text += (text.empty() ? "" : ",") + *element;
  }
  return text;
}

// Whether the TOML value has the type of its key. A string may not be written as a number.
bool has_type(ConfigKind kind, const toml::node& node) {
  switch (kind) {
    case ConfigKind::number:
      return node.is_integer();
    case ConfigKind::list:
      return node.is_array() || node.is_string();
    case ConfigKind::duration:
      return node.is_string() || node.value_exact<std::int64_t>() == 0;
    case ConfigKind::size:
      return node.is_string() || node.is_integer();
    case ConfigKind::boolean:
      return node.is_boolean();
    case ConfigKind::text:
    case ConfigKind::path:
      return node.is_string();
  }
  return false;
}

std::string_view expected_type(ConfigKind kind) {
  switch (kind) {
    case ConfigKind::number:
      return "expected a whole number";
    case ConfigKind::list:
      return "expected a list of texts";
    case ConfigKind::duration:
      return "expected a duration such as \"15s\", \"1h\" or \"500ms\"";
    case ConfigKind::size:
      return "expected a size such as \"500M\" or \"64G\"";
    case ConfigKind::boolean:
      return "expected true or false";
    case ConfigKind::text:
    case ConfigKind::path:
      return "expected a text in quotes";
  }
  return "";
}

// A section may be written as its program is: [engine.yt-dlp] is the key's engine.yt_dlp.
std::string named(const toml::key& key) {
  std::string name{key.str()};
  std::ranges::replace(name, '-', '_');
  return name;
}

// A value of the file and its full name. collect() also descends into inner tables.
struct Named {
  std::string name;
  const toml::node* node;
};
void collect(const toml::table& table, const std::string& section, std::vector<Named>& all) {
  for (const auto& [key, value] : table) {
    const std::string own = fmt::format("{}.{}", section, key.str());
    const std::string name =
        is_named_section(own) ? own : fmt::format("{}.{}", section, named(key));
    const auto* inner = value.as_table();
    if (inner != nullptr && inner->empty() && is_named_section(name))
      all.push_back({name, inner});
    else if (inner != nullptr)
      collect(*inner, name, all);
    else
      all.push_back({name, &value});
  }
}

// Without a line if the file could not be read at all.
std::string line_of(const std::filesystem::path& file, const toml::source_region& source) {
  if (source.begin.line == 0) return file.string();
  return fmt::format("{}:{}", file.string(), source.begin.line);
}

// A section that a user has named exists without a key in it, too.
FileValue empty_section(const std::string& section, std::string from) {
  const std::span<const ConfigKey> keys = config_keys();
  const auto key = std::ranges::find_if(keys, [&](const ConfigKey& each) {
    return has_name(each) && each.name.starts_with(section.substr(0, section.find('.') + 1));
  });
  const std::string_view name = std::string_view{section}.substr(section.find('.') + 1);
  return {&*key, key_in(*key, name), std::string{key->default_value}, std::move(from)};
}

Result<FileValue> value_of(const Named& each, std::string from) {
  if (each.node->is_table()) return empty_section(each.name, std::move(from));
  const ConfigKey* key = find_key(each.name);
  if (!key) return bad_config(from, unknown_key(each.name));
  auto text = has_type(key->kind, *each.node) ? as_text(*each.node) : std::nullopt;
  if (!text) return bad_config(from, fmt::format("{}: {}", each.name, expected_type(key->kind)));
  return FileValue{key, each.name, *std::move(text), std::move(from)};
}

}  // namespace

Result<void> read_toml(const std::filesystem::path& file,
                       const std::function<Result<void>(const FileValue&)>& take) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    return std::unexpected{
        Fault{FaultKind::rejected, kNoConfig, fmt::format("{} does not exist", file.string())}};
  if (std::filesystem::is_directory(file, error))
    return std::unexpected{Fault{FaultKind::rejected, kNoConfig,
                                 fmt::format("{}: a folder, not a file", file.string())}};
  const toml::parse_result parsed = toml::parse_file(file.string());
  if (!parsed)
    return bad_config(line_of(file, parsed.error().source()), parsed.error().description());
  for (const auto& [section, node] : parsed.table()) {
    const auto* table = node.as_table();
    if (!table) return bad_config(line_of(file, node.source()), unknown_key(section.str()));
    std::vector<Named> all;
    collect(*table, named(section), all);
    for (const Named& each : all) {
      const auto value = value_of(each, line_of(file, each.node->source()));
      if (!value) return std::unexpected{value.error()};
      if (auto taken = take(*value); !taken) return taken;
    }
  }
  return {};
}

}  // namespace haul::app

#include "app/config/value.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/ascii.h"
#include "base/path_map.h"
#include "base/size.h"
#include "base/text.h"
#include "base/time.h"
#include "base/url.h"
#include "base/utf8.h"

namespace haul::app {
namespace {

bool is_in(std::int64_t value, const std::optional<ConfigRange>& range) {
  return !range || (value >= range->least && value <= range->most);
}

std::string wrong_with_number(const ConfigKey& key, const std::string& value) {
  const auto number = whole_number(value);
  if (number && is_in(*number, key.range)) return {};
  if (!key.range) return "expected a whole number";
  return fmt::format("expected a whole number from {} to {}", key.range->least, key.range->most);
}

std::string wrong_with_duration(const ConfigKey& key, const std::string& value) {
  const auto duration = read_duration(value);
  if (!duration) return "expected a duration such as 15s, 1h or 500ms";
  if (!key.range || is_in(duration->count(), key.range)) return {};
  return fmt::format("{} is out of range (expected {} to {})", in_quotes(value),
                     duration_text(Millis{key.range->least}),
                     duration_text(Millis{key.range->most}));
}

// "a, b or c"
std::string one_of(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return text;
}

std::string wrong_with_kind(const ConfigKey& key, const std::string& value) {
  switch (key.kind) {
    case ConfigKind::number:
      return wrong_with_number(key, value);
    case ConfigKind::duration:
      return wrong_with_duration(key, value);
    case ConfigKind::path:
      if (value.empty() || std::filesystem::path{value}.is_absolute()) return {};
      return "expected an absolute path";
    case ConfigKind::size:
      if (value.empty() || read_size(value)) return {};
      return fmt::format("{} is not a size (expected e.g. 500M or 64G)", in_quotes(value));
    case ConfigKind::text:
      if (key.words.empty() || std::ranges::find(key.words, value) != key.words.end()) return {};
      return fmt::format("expected {}", one_of(key.words));
    case ConfigKind::boolean:
      return value == "true" || value == "false" ? "" : "expected true or false";
    case ConfigKind::list:
      return {};
  }
  return {};
}

}  // namespace

std::string wrong_with(const ConfigKey& key, const std::string& value) {
  if (std::string why = wrong_with_kind(key, value); !why.empty()) return why;
  if (has_control(value)) return "control characters are not allowed";
  if (!key.check) return {};
  if (key.kind != ConfigKind::list) return key.check(value);
  const std::vector<std::string> elements = elements_of(value);
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (const std::string why = key.check(elements[i]); !why.empty())
      return fmt::format("[{}]: {}", i, why);
  return {};
}

std::vector<std::string> elements_of(std::string_view list) {
  std::vector<std::string> elements;
  for (std::string_view rest = list; !rest.empty();) {
    const std::string_view element = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(element.size() + 1, rest.size()));
    if (!trimmed(element).empty()) elements.emplace_back(trimmed(element));
  }
  return elements;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end) return std::nullopt;
  return value;
}

std::string wrong_with_network(const std::string& text) {
  if (io::Network::parse(text)) return {};
  return in_quotes(text) + " is not an address or CIDR range (expected e.g. 192.168.1.0/24)";
}

std::string wrong_with_mapping(const std::string& text) {
  if (PathMap::parse(std::span{&text, 1})) return {};
  return in_quotes(text) + " is not two absolute paths (expected e.g. /downloads=/srv/torrents)";
}

std::string wrong_with_root(const std::string& text) {
  const std::filesystem::path path{text};
  if (std::ranges::find(path, "..") == path.end()) return {};
  return in_quotes(text) + " has \"..\" in it: write the whole path";
}

std::string server_address(const std::string& text) {
  const auto url = parse_url(text);
  if (!url) return {};
  std::string address = url->text;
  while (address.ends_with('/')) address.pop_back();
  return address;
}

Result<std::vector<io::Network>> networks_in(std::string_view key,
                                             const std::vector<std::string>& texts) {
  std::vector<io::Network> networks;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto network = io::Network::parse(texts[i]);
    if (!network) return bad_config(fmt::format("{}[{}]", key, i), wrong_with_network(texts[i]));
    networks.push_back(*network);
  }
  return networks;
}

std::string in_quotes(std::string_view text) { return "\"" + printable(text) + "\""; }

std::unexpected<Fault> bad_config(std::string_view from, std::string_view why) {
  return std::unexpected{
      Fault{FaultKind::rejected, "bad_config", fmt::format("{}: {}", from, why)}};
}

}  // namespace haul::app

#include "app/config.h"

#include <fmt/core.h>
#include <sys/stat.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

#include "app/config_check.h"
#include "base/ascii.h"
#include "base/redact.h"
#include "base/request_value.h"
#include "base/size.h"
#include "base/text.h"

namespace haul {
namespace {

using enum ConfigKind;

constexpr std::array kKeys{
    ConfigKey{"server.listen", text, "127.0.0.1:4285", "Address and port of the page and the API"},
    ConfigKey{"server.allowed_hosts", list, "",
              "Names the server is called by, beside localhost and addresses"},
    ConfigKey{"server.trusted_proxies", list, "",
              "Proxies whose X-Forwarded-For or Forwarded header says where a request comes from: "
              "10.0.0.0/8"},
    ConfigKey{"log.level", text, "info", "debug, info, warning or error"},
    ConfigKey{
        "transfer.folder", path, "",
        "Where downloads go; usual: `downloads` in the data folder. Not the root, the data folder "
        "or a folder above it"},
    ConfigKey{"transfer.per_host", number, "2",
              "Requests at once to one host; also the jobs that run at once there"},
    ConfigKey{"transfer.delay", duration, "1s", "Between requests to one host"},
    ConfigKey{"transfer.speed_limit", size, "",
              "Bytes a second, of all downloads together: 2M. Default: no limit. A request's own "
              "limit holds beside it"},
    ConfigKey{"transfer.keep_free", size, "",
              "What stays free on every disk that downloads go to: 500M. A download that would "
              "take it waits. Default: 1G or 5 % of the disk, whichever is smaller"},
    ConfigKey{"transfer.max_size", size, "64G",
              "The largest file whose size is not known before it comes, such as a live stream"},
    ConfigKey{"transfer.durability", text, "batch", "each, batch or off: when files are flushed"},
    ConfigKey{"engine.qbittorrent.url", text, "",
              "Where a qBittorrent's web page is, which fetches torrents: http://127.0.0.1:8080"},
    ConfigKey{"engine.qbittorrent.username", text, "", "Its user; none: it asks nobody from here"},
    ConfigKey{"engine.qbittorrent.password", text, "", "Best by a file or the environment", true},
    ConfigKey{"engine.qbittorrent.api_key", text, "",
              "Instead of user and password, from qBittorrent 5.2 on", true},
    ConfigKey{"engine.qbittorrent.category", text, "haul", "What haul's torrents are filed under"},
    ConfigKey{"engine.qbittorrent.poll", duration, "15s", "How often it is asked"},
    ConfigKey{"engine.qbittorrent.missing_grace", duration, "60s",
              "For how long a torrent may be gone before its job fails"},
    ConfigKey{"engine.qbittorrent.path_map", list, "",
              "Its folders as this machine has them: /downloads=/srv/torrents"},
    ConfigKey{"engine.sandbox", text, "prefer",
              "prefer or require: whether yt-dlp and gallery-dl may run where the kernel has no "
              "Landlock to keep them from files. `haul get` knows it by the environment only"},
    ConfigKey{"engine.yt_dlp.program", path, "",
              "Which yt-dlp runs; usual: the one on the search path. `haul get` knows it by the "
              "environment only"},
    ConfigKey{"engine.gallery_dl.program", path, "",
              "Which gallery-dl runs; usual: the one on the search path. `haul get` knows it by "
              "the environment only"},
    ConfigKey{"transfer.allow_private", list, "",
              "Private networks that downloads may reach: 192.168.1.0/24"},
    ConfigKey{"library.check_every", duration, "10m",
              "How often the files of books are looked for"},
    ConfigKey{"library.missing_after", duration, "60s",
              "How long a file is gone before its book goes back to the archive"},
};

const ConfigKey* find_key(std::string_view name) {
  const auto found = std::ranges::find(kKeys, name, &ConfigKey::name);
  return found == kKeys.end() ? nullptr : &*found;
}

std::unexpected<Fault> refuse(const std::string& from, const std::string& why) {
  return std::unexpected{
      Fault{FaultKind::rejected, "bad_config", fmt::format("{}: {}", from, why)}};
}

std::string unknown(std::string_view name) {
  std::vector<std::string_view> names;
  names.reserve(std::size(kKeys));
  for (const ConfigKey& key : kKeys) names.push_back(key.name);
  const std::string_view like = nearest(name, names);
  return fmt::format("there is no '{}'{}", printable(name),
                     like.empty() ? "" : fmt::format(", did you mean '{}'?", like));
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end) return std::nullopt;
  return value;
}

constexpr std::int64_t kNumberMax = 1'000;

std::vector<std::string> elements_of(std::string_view all) {
  std::vector<std::string> items;
  for (std::string_view rest = all; !rest.empty();) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(item.size() + 1, rest.size()));
    if (!trimmed(item).empty()) items.emplace_back(trimmed(item));
  }
  return items;
}

// What is wrong with a value. Empty if it is valid.
std::string wrong_with(const ConfigKey& key, const std::string& value) {
  const std::int64_t count = whole(value).value_or(0);
  if (key.kind == number && (count < 1 || count > kNumberMax))
    return fmt::format("expected a whole number from 1 to {}", kNumberMax);
  if (key.kind == duration && !read_duration(value)) return "a time is wanted: 15s, 1h, 500ms";
  if (key.kind == path && !value.empty() && !std::filesystem::path{value}.is_absolute())
    return "an absolute path is wanted";
  if (key.kind == size && !value.empty() && !read_size(value))
    return fmt::format("\"{}\" is not a size (expected e.g. 500M or 64G)", printable(value));
  if (key.name == "transfer.max_size" && read_size(value).value_or(0) < 1)
    return "at least one byte is needed (expected e.g. 64G)";
  if (key.name == "transfer.speed_limit" && !value.empty() &&
      read_size(value).value_or(0) < kSpeedLimitMin)
    return "less than 1K a second is no speed (expected e.g. 2M, or nothing for no limit)";
  const auto one_of = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, value) != words.end();
  };
  if (key.name == "engine.sandbox" && !one_of({"prefer", "require"}))
    return "prefer or require is wanted";
  if (key.name == "log.level" && !one_of({"debug", "info", "warning", "error"}))
    return "debug, info, warning or error is wanted";
  if (key.name == "transfer.durability" && !one_of({"each", "batch", "off"}))
    return "each, batch or off is wanted";
  return wrong_with_setting(key.name, value,
                            key.kind == list ? elements_of(value) : std::vector<std::string>{});
}

std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto whole_number = node.value_exact<std::int64_t>())
    return std::to_string(*whole_number);
  return node.value_exact<std::string>();
}

// "a, b" and ["a", "b"] are the same list. Nullopt unless the node is a string, a whole number or a
// list of strings.
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
    case number:
      return node.is_integer();
    case list:
      return node.is_array() || node.is_string();
    case duration:
      return node.is_string() || node.value_exact<std::int64_t>() == 0;
    case size:
      return node.is_string() || node.is_integer();
    case ConfigKind::text:
    case path:
      return node.is_string();
  }
  return false;
}

std::string_view type_wanted(ConfigKind kind) {
  switch (kind) {
    case number:
      return "expected a whole number";
    case list:
      return "expected a list of texts";
    case duration:
      return "expected a duration such as \"15s\", \"1h\" or \"500ms\"";
    case size:
      return "expected a size such as \"500M\" or \"64G\"";
    case ConfigKind::text:
    case path:
      return "expected a text in quotes";
  }
  return "";
}

// [engine.yt-dlp] is written as the program is; the key is engine.yt_dlp.
std::string named(const toml::key& key) {
  std::string name{key.str()};
  std::ranges::replace(name, '-', '_');
  return name;
}

// F52: only its owner may read a file that contains a secret. Empty if nothing is wrong.
std::string wrong_with_mode(const std::filesystem::path& file) {
  struct stat about{};
  if (::stat(file.c_str(), &about) != 0 || (about.st_mode & 077U) == 0) return {};
  return fmt::format("others may read this secret (the file has mode {:o}); run: chmod 600 '{}'",
                     about.st_mode & 0777U, file.string());
}

// A value of the file and its full name. collect() also descends into inner tables.
struct Given {
  std::string name;
  const toml::node* node;
};
void collect(const toml::table& table, const std::string& section, std::vector<Given>& all) {
  for (const auto& [key, value] : table) {
    const std::string name = fmt::format("{}.{}", section, named(key));
    if (const auto* inner = value.as_table())
      collect(*inner, name, all);
    else
      all.push_back({name, &value});
  }
}

std::string in_environment(std::string_view name) {
  std::string variable = "HAUL__";
  for (const char c : name) {
    if (c == '.')
      variable += "__";
    else
      variable += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return variable;
}

// The key that a variable with this name would set: HAUL__A__B is a.b.
std::string from_environment(std::string_view variable) {
  std::string name;
  for (std::string_view rest = variable.substr(std::string_view{"HAUL__"}.size()); !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find("__"));
    rest.remove_prefix(std::min(part.size() + 2, rest.size()));
    name += (name.empty() ? "" : ".") + lower(part);
  }
  return name;
}

}  // namespace

std::span<const ConfigKey> config_keys() { return kKeys; }

Result<Config> Config::read(const std::filesystem::path& file, const Environment& environment) {
  Config config;
  for (const ConfigKey& key : kKeys)
    config.values_[std::string{key.name}] = {std::string{key.usual}, "usual"};
  if (!file.empty())
    if (auto read = config.read_file(file); !read) return std::unexpected{read.error()};
  if (auto read = config.read_environment(environment); !read) return std::unexpected{read.error()};
  if (auto fits = config.check_together(); !fits) return std::unexpected{fits.error()};
  return config;
}

Result<void> Config::read_file(const std::filesystem::path& file) {
  const toml::parse_result parsed = toml::parse_file(file.string());
  const auto at = [&](const toml::source_region& source) {
    return fmt::format("{}:{}", file.string(), source.begin.line);
  };
  if (!parsed) {
    const std::string why{parsed.error().description()};
    return refuse(at(parsed.error().source()), why);
  }
  for (const auto& [section, node] : parsed.table()) {
    const auto* table = node.as_table();
    if (!table) return refuse(at(node.source()), unknown(section.str()));
    std::vector<Given> given;
    collect(*table, named(section), given);
    for (const Given& each : given) {
      const ConfigKey* key = find_key(each.name);
      const std::string from = at(each.node->source());
      if (!key) return refuse(from, unknown(each.name));
      const auto value = has_type(key->kind, *each.node) ? as_text(*each.node) : std::nullopt;
      if (!value) return refuse(from, fmt::format("{}: {}", each.name, type_wanted(key->kind)));
      if (auto set_it = set(each.name, *value, from); !set_it) return set_it;
      const bool is_secret = key->is_secret ? !value->empty() : redacted(*value) != *value;
      if (!is_secret) continue;
      if (const std::string why = wrong_with_mode(file); !why.empty())
        return refuse(from, fmt::format("{}: {}", each.name, why));
    }
  }
  return {};
}

Result<void> Config::read_environment(const Environment& environment) {
  for (const auto& [variable, value] : environment) {
    if (!variable.starts_with("HAUL__")) continue;
    const bool is_file = variable.ends_with("_FILE");
    const std::string bare = is_file ? variable.substr(0, variable.size() - 5) : variable;
    const auto key = std::ranges::find_if(
        kKeys, [&](const ConfigKey& each) { return in_environment(each.name) == bare; });
    if (key == kKeys.end()) return refuse(variable, unknown(from_environment(bare)));
    std::string text = value;
    if (is_file) {
      std::ifstream in{value};
      if (!std::getline(in, text)) return refuse(variable, "its file cannot be read");
    }
    if (auto set_it = set(key->name, text, variable); !set_it) return set_it;
  }
  return {};
}

Result<void> Config::set(std::string_view name, std::string value, std::string from) {
  const ConfigKey* key = find_key(name);
  if (!key) return refuse(from, unknown(name));
  if (const std::string why = wrong_with(*key, value); !why.empty())
    return refuse(from, fmt::format("{}{}{}", name, why.starts_with('[') ? "" : ": ", why));
  values_[std::string{name}] = {std::move(value), std::move(from)};
  return {};
}

// The grace must reach to the next poll, so that a torrent missing in one answer can come back.
Result<void> Config::check_together() const {
  constexpr std::string_view kGrace = "engine.qbittorrent.missing_grace";
  constexpr std::string_view kPoll = "engine.qbittorrent.poll";
  if (duration(kGrace) >= duration(kPoll)) return {};
  const std::string& from = values_.find(kGrace)->second.from;
  return refuse(
      from == "usual" ? values_.find(kPoll)->second.from : from,
      fmt::format("{}: {} is shorter than {} ({})", kGrace, text(kGrace), kPoll, text(kPoll)));
}

std::string Config::text(std::string_view name) const { return values_.find(name)->second.text; }

std::int64_t Config::number(std::string_view name) const { return whole(text(name)).value_or(0); }

std::optional<std::int64_t> Config::size(std::string_view name) const {
  return read_size(text(name));
}

Millis Config::duration(std::string_view name) const {
  return read_duration(text(name)).value_or(Millis{0});
}

std::vector<std::string> Config::list(std::string_view name) const {
  return elements_of(text(name));
}

std::string shown(const Config& config) {
  std::string out;
  for (const ConfigKey& key : kKeys) {
    const Config::Value& value = config.values().find(key.name)->second;
    const bool masked = key.is_secret && !value.text.empty();
    out += fmt::format("{:<34} {:<24} {}\n", key.name,
                       masked ? "***" : printable(redacted(value.text)), printable(value.from));
  }
  return out;
}

std::string config_page() {
  std::string page =
      "# Configuration\n\n"
      "Made by `./dev docs` from the table of keys; a test compares it. haul reads\n"
      "`$XDG_CONFIG_HOME/haul/haul.toml` or `/etc/haul/haul.toml` (or `--config FILE`), then the\n"
      "environment (`HAUL__SECTION__KEY`, or `…_FILE` for a file that has the value), then flags.\n"
      "An unknown key stops the start and names the nearest one. `haul config show` says what\n"
      "holds and where it comes from.\n\n"
      "| key | usual | |\n|---|---|---|\n";
  for (const ConfigKey& key : kKeys)
    page += fmt::format("| `{}` | {} | {} |\n", key.name,
                        key.usual.empty() ? "" : fmt::format("`{}`", key.usual), key.about);
  return page;
}

}  // namespace haul

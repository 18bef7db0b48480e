#include "app/config/describe.h"

#include <fmt/core.h>

#include "app/config/areas.h"
#include "base/redact.h"
#include "base/text.h"

namespace haul::app {

namespace {

std::string line_of(const Config& config, const ConfigKey& key, const std::string& name) {
  const std::string text = config.text(name);
  const bool is_masked = key.is_secret && !text.empty();
  return fmt::format("{:<34} {:<24} {}\n", name, is_masked ? "***" : printable(redacted(text)),
                     printable(config.from(name)));
}

}  // namespace

std::string shown(const Config& config) {
  std::string out;
  std::string named;
  for (const ConfigKey& key : config_keys()) {
    if (!has_name(key)) {
      out += line_of(config, key, std::string{key.name});
      continue;
    }
    for (const std::string& name : config.names_in(key.name.substr(0, key.name.find('.'))))
      named += line_of(config, key, key_in(key, name));
  }
  return out + named;
}

std::string config_doc() {
  std::string page =
      "# Configuration\n\n"
      "`./dev docs` writes this page from the table of keys; a test compares it. haul reads\n"
      "`$XDG_CONFIG_HOME/haul/haul.toml` or `/etc/haul/haul.toml` (or `--config FILE`), then the\n"
      "environment (`HAUL__SECTION__KEY`, or `…_FILE` for a file that has the value), then flags.\n"
      "An unknown key is an error that names the nearest key. `haul config show` prints each\n"
      "value and its source.\n\n"
      "| key | default | |\n|---|---|---|\n";
  for (const ConfigKey& key : config_keys())
    page += fmt::format("| `{}` | {} | {} |\n", key.name,
                        key.default_value.empty() ? "" : fmt::format("`{}`", key.default_value),
                        key.about);
  return page;
}

}  // namespace haul::app

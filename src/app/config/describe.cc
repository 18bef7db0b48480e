#include "app/config/describe.h"

#include <fmt/core.h>

#include "app/config/areas.h"
#include "base/redact.h"
#include "base/text.h"

namespace haul::app {

std::string shown(const Config& config) {
  std::string out;
  for (const ConfigKey& key : config_keys()) {
    const std::string text = config.text(key.name);
    const bool is_masked = key.is_secret && !text.empty();
    out +=
        fmt::format("{:<34} {:<24} {}\n", key.name, is_masked ? "***" : printable(redacted(text)),
                    printable(config.from(key.name)));
  }
  return out;
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

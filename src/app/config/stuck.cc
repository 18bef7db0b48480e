#include "app/config/stuck.h"

#include <fmt/core.h>

#include <string>

#include "app/config/areas.h"
#include "app/config/config.h"
#include "app/config/value.h"

namespace haul::app {
namespace {

using namespace std::chrono_literals;

constexpr ConfigRange kRange = between(0ms, 24h * 365);

std::string wrong_with_seconds(const std::string& text) {
  const auto duration = read_duration(text);
  if (duration && duration->count() % 1'000 == 0) return {};
  return in_quotes(text) + " is not whole seconds (expected e.g. 90s or 1h)";
}

constexpr ConfigKey kKeys[] = {
    {.name = "stuck.media.queued",
     .kind = ConfigKind::duration,
     .default_value = "1h",
     .about = "A film that is queued for longer counts as stuck. 0s: never",
     .range = kRange,
     .check = wrong_with_seconds},
    {.name = "stuck.media.downloading",
     .kind = ConfigKind::duration,
     .default_value = "24h",
     .about = "A film that is downloading for longer counts as stuck. 0s: never",
     .range = kRange,
     .check = wrong_with_seconds},
    {.name = "stuck.media.completed",
     .kind = ConfigKind::duration,
     .default_value = "1h",
     .about = "A film that is fetched but not imported for longer counts as stuck. 0s: never",
     .range = kRange,
     .check = wrong_with_seconds},
    {.name = "stuck.media.imported",
     .kind = ConfigKind::duration,
     .default_value = "24h",
     .about = "A film that is imported but not cleaned up for longer counts as stuck. 0s: never",
     .range = kRange,
     .check = wrong_with_seconds},
    {.name = "stuck.image.running",
     .kind = ConfigKind::duration,
     .default_value = "1h",
     .about = "An image that is generated for longer counts as stuck. 0s: never. Set it longer "
              "than image.wait_max",
     .range = kRange,
     .check = wrong_with_seconds},
};

}  // namespace

ConfigArea stuck_area() { return {.keys = kKeys}; }

std::vector<StuckRule> stuck_rules(const Config& config) {
  std::vector<StuckRule> rules;
  for (StuckRule& rule : default_stuck_rules()) {
    const std::string key = fmt::format("stuck.{}.{}", rule.lifecycle, rule.state);
    if (find_key(key)) rule.after = std::chrono::floor<std::chrono::seconds>(config.duration(key));
    if (rule.after.count() > 0) rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace haul::app

#include "app/config/log.h"

#include "app/config/config.h"
#include "app/log.h"

namespace haul::app {
namespace {

constexpr std::string_view kLevels[] = {"debug", "info", "warning", "error"};

constexpr ConfigKey kKeys[] = {
    {.name = "log.level",
     .kind = ConfigKind::text,
     .default_value = "info",
     .about = "debug, info, warning or error",
     .words = kLevels},
};

}  // namespace

ConfigArea log_area() { return {.keys = kKeys}; }

Level log_level(const Config& config) { return level_named(config.text("log.level")); }

}  // namespace haul::app

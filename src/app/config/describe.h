#pragma once
// The configuration as people read it.

#include <string>

#include "app/config/config.h"

namespace haul::app {

// The output of `haul config show`: every value and its source. Secrets are masked.
std::string shown(const Config& config);
// The text of docs/config.md.
std::string config_doc();

}  // namespace haul::app

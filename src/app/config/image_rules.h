#pragma once
// What [image] says about prompts, prices, limits and lost answers, for the flow.

#include "app/config/key.h"
#include "flow/image/settings.h"

namespace haul::app {

// Whether the blocklist can be read. A fault names its line.
Result<void> check_blocklist(const Config& config);

// Throws std::runtime_error if the blocklist cannot be read any more: haul does not start without a
// list that its operator wants.
flow::ImageRules image_rules(const Config& config);

}  // namespace haul::app

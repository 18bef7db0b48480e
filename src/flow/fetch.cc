#include "flow/fetch.h"

#include <algorithm>

#include "engine/item_key.h"

namespace haul {

std::size_t Fetch::moving() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      at_work, [](const auto& each) { return each.second.phase == Transfer::Phase::moving; }));
}

std::size_t Fetch::videos() const {
  return static_cast<std::size_t>(std::ranges::count_if(at_work, [](const auto& each) {
    return each.second.phase == Transfer::Phase::moving &&
           engine_of(each.second.item.key) == kYtDlp;
  }));
}

bool Fetch::has_work() const {
  return planning || !ready.empty() || !waiting.empty() || !at_work.empty();
}

}  // namespace haul

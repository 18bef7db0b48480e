#pragma once
// What a failed transfer means for an item of a batch, as a pure function (S2-21, S2-22, Z-8,
// Z-11).

#include "base/fault.h"
#include "flow/worker/settings.h"
#include "store/items.h"

namespace haul::flow {

// By the table of items.
struct ItemVerdict {
  enum class Kind : std::uint8_t { again, fail, release } kind = Kind::fail;
  int attempt = 0;
  int tries = 0;
  Millis wait{0};
};
ItemVerdict judge_item(const Lifecycle& table, const Item& item, const Fault& fault,
                       bool moved_forward, const Settings& settings, double chance);

}  // namespace haul::flow

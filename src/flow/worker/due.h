#pragma once
// When periodic work is due.

#include <optional>

#include "base/time.h"

namespace haul::flow {

inline bool is_due(const std::optional<Steady>& last, Millis every, Steady now) {
  return !last || now - *last >= every;
}

}  // namespace haul::flow

#pragma once
// The rule of the limits per host, as a pure function.

#include <optional>

#include "store/limits.h"

namespace haul::rules {

// When it is worth asking for a slot at the host again; nothing if one is free now. A clock that
// was set back must not lock a host for that long: a start in the future counts as now, and a block
// that ends later than any block may is ignored.
std::optional<Time> wait_until(const HostUse& use, const HostRule& rule, Time now);

}  // namespace haul::rules

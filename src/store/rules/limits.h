#pragma once
// The rules of the limits per host, as pure functions.

#include <cstddef>
#include <optional>

#include "store/limits.h"

namespace haul::rules {

// Whether a block with this end holds now. One that ends later than any block may was written
// before the clock was set back, and is ignored.
bool is_blocked(Time blocked_until, Time now);

// The end of a host's block when it sends another Retry-After: the later of the two, at most
// kBlockMax from now. A stored end that is later than that is replaced.
Time block_after(Time blocked_until, Time until, Time now);

// Whether the stored start is from before the clock was set back. The backend replaces it by now.
bool is_start_ahead(const HostUse& use, Time now);

// The jobs of a lane, whose host may be blocked.
struct LaneUse {
  std::size_t running = 0;
  Time blocked_until{};
};
// How many more jobs of the lane may run: none while its host is blocked. An `at_once` of 0 means
// no limit.
std::size_t room_in(const LaneUse& lane, std::size_t at_once, Time now);

// When it is worth asking for a slot at the host again; nothing if one is free now. A clock that
// was set back must not lock a host for that long: a start in the future counts as now, and a block
// that ends later than any block may is ignored.
std::optional<Time> wait_until(const HostUse& use, const HostRule& rule, Time now);

}  // namespace haul::rules

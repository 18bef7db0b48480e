#pragma once
// Reads the limits in a batch's own request (Z-11).

#include <expected>
#include <span>

#include "base/json.h"
#include "flow/worker/own_limits.h"
#include "store/refusal.h"

namespace haul::flow {

// Out of the fields of a request, or what check_request refuses of them.
std::expected<OwnLimits, Refusal> read_own_limits(std::span<const JsonField> request);

}  // namespace haul::flow

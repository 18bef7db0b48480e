#pragma once
// The fields of a batch request.

#include "lifecycle/request.h"

namespace haul {

extern const RequestField kBatchFields[32];

// Rules between several fields.
std::optional<RequestProblem> check_batch_request(std::span<const JsonField> request);

// The fields inside its field `limits`.
std::span<const RequestField> limit_fields();

}  // namespace haul

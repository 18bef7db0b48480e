#pragma once
// Checks a request against the table of its lifecycle.

#include <optional>
#include <span>
#include <string>

#include "base/json.h"
#include "lifecycle/table.h"
#include "store/refusal.h"

namespace haul::rules {

// Returns the first problem, or nothing if the request is valid. The refusal's `field` is the path
// inside the request, such as "filters.min_size" or "urls[3]", and its detail begins with that
// path.
std::optional<Refusal> check_request(const Lifecycle& lifecycle, std::span<const JsonField> fields);
std::optional<Refusal> check_request(const Lifecycle& lifecycle, std::string_view request);
// The same for one field that is an object with these fields.
std::optional<Refusal> check_value(std::span<const RequestField> within, const JsonField& given);

}  // namespace haul::rules

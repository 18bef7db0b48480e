#pragma once
// The receipt of a landed file as text, from an item of the API.

#include <string>

#include "cli/draw/paint.h"
#include "cli/remote/json_view.h"

namespace haul::cli {

// "etag, sha256", "unverified, unchecked": the rule that accepted the file, the hash that haul
// took, and whether the server's certificate was left unchecked. Empty without a receipt.
std::string proof_of(const JsonView& item);

// The whole receipt, a line per fact. Empty without one.
std::string receipt_lines(const JsonView& item, Colour colour);

}  // namespace haul::cli

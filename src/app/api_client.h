#pragma once
// The daemon's API over HTTP, for the command line.

#include "cli/remote/remote.h"

namespace haul {

// Refuses as `bad_usage` an invalid address and one that contains a name and a password.
Result<std::unique_ptr<ApiClient>> open_api_client(const ApiPlace& place);

}  // namespace haul

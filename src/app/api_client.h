#pragma once
// The daemon's API over HTTP, for the command line.

#include "cli/remote.h"

namespace haul {

// Refused as `bad_usage`: an address that is none, or one with a name and a password in it.
Result<std::unique_ptr<ApiClient>> open_api_client(const ApiPlace& place);

}  // namespace haul

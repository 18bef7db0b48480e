#pragma once
// The daemon's API over HTTP, for the command line.

#include "cli/remote/remote.h"

namespace haul::app {

// Refuses as `bad_usage` an invalid address and one that contains a name and a password.
Result<std::unique_ptr<cli::ApiClient>> open_api_client(const cli::ApiAddress& address);

}  // namespace haul::app

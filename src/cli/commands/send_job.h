#pragma once
// Adds a job, for the commands that do.

#include <string>

#include "cli/remote/remote.h"

namespace haul::cli {

// Sends this body to the daemon and prints the job. Returns the exit code.
int send_job(Remote remote, const std::string& body, const std::string& key);

}  // namespace haul::cli

#pragma once
// The examples of the API's page. A test runs each of them against a daemon.

#include <string>

namespace haul::cli {

// A part of docs/api.md.
std::string api_examples();

}  // namespace haul::cli

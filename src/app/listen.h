#pragma once
// The address that the server listens at: parsed from the configuration, and shown to users.

#include <cstdint>
#include <string>

#include "base/fault.h"

namespace haul::app {

struct Listen {
  std::string address;
  std::uint16_t port = 0;  // Zero: any free port.
};

Result<Listen> listen_at(const std::string& text);

// The address for a browser, with the port that the server got.
std::string shown_address(const Listen& at, std::uint16_t port);

}  // namespace haul::app

#pragma once
// Where a server listens, as configured and as told to people.

#include <cstdint>
#include <string>

#include "base/fault.h"

namespace haul {

struct Listen {
  std::string address;
  std::uint16_t port = 0;  // Zero: any that is free.
};

Result<Listen> listen_at(const std::string& text);

// With the port it came to: where a browser finds it.
std::string shown_address(const Listen& at, std::uint16_t port);

}  // namespace haul

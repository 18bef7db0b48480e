#pragma once
// Where a server listens, as configured and as told to people.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "io/address.h"

namespace haul {

struct Listen {
  std::string address;
  std::uint16_t port = 0;  // Zero: any that is free.
};

Result<Listen> listen_at(const std::string& text);

// The networks of a list in the configuration; refused with the key and the place in the list.
Result<std::vector<Network>> networks_in(std::string_view key,
                                         const std::vector<std::string>& texts);

// With the port it came to: where a browser finds it.
std::string shown_address(const Listen& at, std::uint16_t port);

}  // namespace haul

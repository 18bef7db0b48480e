#pragma once
// The address that the server listens at: parsed from the configuration, and shown to users.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "io/web/address.h"

namespace haul {

struct Listen {
  std::string address;
  std::uint16_t port = 0;  // Zero: any free port.
};

Result<Listen> listen_at(const std::string& text);

// The networks of a list in the configuration. A refusal names the key and the index in the list.
Result<std::vector<Network>> networks_in(std::string_view key,
                                         const std::vector<std::string>& texts);

// The address for a browser, with the port that the server got.
std::string shown_address(const Listen& at, std::uint16_t port);

}  // namespace haul

#pragma once
// Ports for servers that must be told theirs before they start.

#include <cstdint>

namespace haul::testing {

// A port of loopback that no program uses. It lies outside the range from which the system gives
// ports to connections and to servers that ask for any, so nothing else on the machine can take it
// before the server does.
std::uint16_t free_port();

}  // namespace haul::testing

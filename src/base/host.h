#pragma once
// The host name under which per-host limits are counted.

#include <string>
#include <string_view>

namespace haul {

// The host of an address: lower case, no user, no port, no leading "www." (A2-12). Empty if the
// address has none.
std::string host_of(std::string_view url);

}  // namespace haul

#pragma once
// The name limits are kept by.

#include <string>
#include <string_view>

namespace haul {

// The host of an address: lower case, no user, no port, no leading "www." (A2-12). Empty if the
// address has none.
std::string host_of(std::string_view url);

}  // namespace haul

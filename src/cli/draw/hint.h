#pragma once
// What a user can do about a reason code.

#include <string_view>

namespace haul {

// A sentence without its full stop; never empty.
std::string_view hint_for(std::string_view reason);

}  // namespace haul

#pragma once
// Tells a user what to do about a reason code.

#include <string_view>

namespace haul::cli {

// A sentence without its full stop; never empty.
std::string_view hint_for(std::string_view reason);

}  // namespace haul::cli

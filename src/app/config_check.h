#pragma once
// Checks of single configuration values beyond their kind: addresses, networks, ranges.

#include <string>
#include <string_view>
#include <vector>

namespace haul {

// What is wrong with a value of this key, and what was expected. Empty if it is valid. `elements`
// holds the elements of a list value.
std::string wrong_with_setting(std::string_view key, const std::string& value,
                               const std::vector<std::string>& elements);

}  // namespace haul

#pragma once
// Text that is put together at compile time. It has one address for the whole run, like a literal.

#include <algorithm>
#include <array>
#include <string_view>

namespace haul {

template <const std::string_view&... Parts>
class Joined {
  static constexpr auto make() {
    std::array<char, (Parts.size() + ... + 1)> made{};  // Ends with a zero.
    auto at = made.begin();
    ((at = std::copy(Parts.begin(), Parts.end(), at)), ...);
    return made;
  }
  static constexpr auto kMade = make();

 public:
  static constexpr const char* kText = kMade.data();
};

}  // namespace haul
